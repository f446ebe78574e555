import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests, type RequestFilter } from '../api/requests.ts'
import { errorText } from '../words/error-text.ts'
import { toCsv } from './csv.ts'
import { downloadFile } from './download.ts'

const pageSize = 1_000

export interface Export {
  /** How many requests were read so far; null if no export is running. */
  readonly read: number | null
  readonly failure: string | null
  save(format: 'json' | 'csv'): Promise<void>
}

/** Exports every match as a file, not only the rows on the page. */
export function useExport(filter: RequestFilter): Export {
  const [read, setRead] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    unmounted.current = new AbortController()
    return () => unmounted.current.abort()
  }, [])
  return { read, failure, save }

  async function save(format: 'json' | 'csv') {
    if (read !== null) return
    setRead(0)
    setFailure(null)
    try {
      const all = await listAll(filter, unmounted.current.signal, setRead)
      downloadFile(format, format === 'json' ? JSON.stringify({ requests: all }, null, 2) : toCsv(all))
    } catch (error) {
      if (!unmounted.current.signal.aborted) setFailure(errorText(error))
    }
    setRead(null)
  }
}

async function listAll(filter: RequestFilter, signal: AbortSignal, onRead: (count: number) => void) {
  const all: Request[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listRequests({ ...filter, limit: pageSize, ...(after === undefined ? {} : { after }) }, signal)
    all.push(...page.requests)
    onRead(all.length)
    after = page.next
  }
  return all
}
