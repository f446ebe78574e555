import { useEffect, useLayoutEffect, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { listRequests, type RequestFilter } from '../api/requests.ts'
import { errorText } from '../words/error-text.ts'

const pageSize = 50
const maxPageSize = 200
const searchAfter = 250

interface Pages {
  readonly found: readonly Request[] | null
  readonly next: string | null
}

// What the page showed when the person left it, so that the way back leads to the same position.
let lastView: { readonly query: string; readonly pages: Pages; readonly scrollTop: number } | null = null

/** The history, page by page. After going back it shows as many pages as before, including new requests. */
export function useHistoryPages(filter: RequestFilter) {
  const query = JSON.stringify(filter)
  const [pages, setPages] = useState<Pages>(() =>
    lastView?.query === query ? lastView.pages : { found: null, next: null },
  )
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const stopped = new AbortController()
    const shown = lastView?.query === query ? (lastView.pages.found?.length ?? 0) : 0
    const timer = setTimeout(
      () => {
        listFirst(JSON.parse(query), Math.max(shown, pageSize), stopped.signal).then(
          found => {
            lastView = null
            setPages(found)
            setFailure(null)
          },
          error => !stopped.signal.aborted && setFailure(errorText(error)),
        )
      },
      lastView?.query === query ? 0 : searchAfter,
    )
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [query])
  useLayoutEffect(() => {
    if (lastView?.query === query) document.getElementById('main')?.scrollTo(0, lastView.scrollTop)
  }, [query])
  return { ...pages, failure, busy, more, leave }

  async function more() {
    setBusy(true)
    try {
      const page = await listRequests({ ...filter, limit: pageSize, ...(pages.next ? { after: pages.next } : {}) })
      setPages({ found: [...(pages.found ?? []), ...page.requests], next: page.next })
      setFailure(null)
    } catch (error) {
      setFailure(errorText(error))
    }
    setBusy(false)
  }

  function leave() {
    lastView = { query, pages, scrollTop: document.getElementById('main')?.scrollTop ?? 0 }
  }
}

async function listFirst(filter: RequestFilter, count: number, signal: AbortSignal): Promise<Pages> {
  const found: Request[] = []
  for (let after: string | undefined; ; ) {
    const limit = Math.min(maxPageSize, count - found.length)
    const page = await listRequests({ ...filter, limit, ...(after === undefined ? {} : { after }) }, signal)
    found.push(...page.requests)
    if (page.next === null || found.length >= count) return { found, next: page.next }
    after = page.next
  }
}
