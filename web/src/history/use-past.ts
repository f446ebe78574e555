import { useEffect, useLayoutEffect, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests, type RequestFilter } from '../api/requests.ts'
import { troubleIn } from '../words/trouble.ts'

const pageSize = 50
const mostAtOnce = 200
const searchAfter = 250

interface Past {
  readonly found: readonly Request[] | null
  readonly next: string | null
}

// What was on the screen when it was left, so that the way back leads to the same place.
let left: { readonly asked: string; readonly past: Past; readonly scrolled: number } | null = null

/** What was asked before, page by page. Whoever comes back finds as many pages as there were, and sees the newest too. */
export function usePast(filter: RequestFilter) {
  const asked = JSON.stringify(filter)
  const [past, setPast] = useState<Past>(() => (left?.asked === asked ? left.past : { found: null, next: null }))
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const stopped = new AbortController()
    const shown = left?.asked === asked ? (left.past.found?.length ?? 0) : 0
    const timer = setTimeout(
      () => {
        firstOnes(JSON.parse(asked), Math.max(shown, pageSize), stopped.signal).then(
          found => {
            left = null
            setPast(found)
            setTrouble(null)
          },
          error => !stopped.signal.aborted && setTrouble(troubleIn(error)),
        )
      },
      left?.asked === asked ? 0 : searchAfter,
    )
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [asked])
  useLayoutEffect(() => {
    if (left?.asked === asked) document.getElementById('main')?.scrollTo(0, left.scrolled)
  }, [asked])
  return { ...past, trouble, busy, more, leave }

  async function more() {
    setBusy(true)
    try {
      const page = await listRequests({ ...filter, limit: pageSize, ...(past.next ? { after: past.next } : {}) })
      setPast({ found: [...(past.found ?? []), ...page.requests], next: page.next })
      setTrouble(null)
    } catch (error) {
      setTrouble(troubleIn(error))
    }
    setBusy(false)
  }

  function leave() {
    left = { asked, past, scrolled: document.getElementById('main')?.scrollTop ?? 0 }
  }
}

async function firstOnes(filter: RequestFilter, count: number, signal: AbortSignal): Promise<Past> {
  const found: Request[] = []
  for (let after: string | undefined; ; ) {
    const limit = Math.min(mostAtOnce, count - found.length)
    const page = await listRequests({ ...filter, limit, ...(after === undefined ? {} : { after }) }, signal)
    found.push(...page.requests)
    if (page.next === null || found.length >= count) return { found, next: page.next }
    after = page.next
  }
}
