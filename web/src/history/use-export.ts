import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests, type RequestFilter } from '../api/requests.ts'
import { troubleIn } from '../words/trouble.ts'
import { csvOf } from './csv.ts'
import { download } from './download.ts'

const pageSize = 1_000

export interface Export {
  /** How many requests were read so far; null while nothing is being exported. */
  readonly read: number | null
  readonly trouble: string | null
  save(format: 'json' | 'csv'): Promise<void>
}

/** Hands all that matches over as a file, not only what is shown. */
export function useExport(filter: RequestFilter): Export {
  const [read, setRead] = useState<number | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const left = useRef(new AbortController())
  // Whoever has left the page wants no file of it.
  useEffect(() => {
    left.current = new AbortController()
    return () => left.current.abort()
  }, [])
  return { read, trouble, save }

  async function save(format: 'json' | 'csv') {
    if (read !== null) return
    setRead(0)
    setTrouble(null)
    try {
      const all = await everything(filter, left.current.signal, setRead)
      download(format, format === 'json' ? JSON.stringify({ requests: all }, null, 2) : csvOf(all))
    } catch (error) {
      if (!left.current.signal.aborted) setTrouble(troubleIn(error))
    }
    setRead(null)
  }
}

async function everything(filter: RequestFilter, signal: AbortSignal, onRead: (count: number) => void) {
  const all: Request[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listRequests({ ...filter, limit: pageSize, ...(after === undefined ? {} : { after }) }, signal)
    all.push(...page.requests)
    onRead(all.length)
    after = page.next
  }
  return all
}
