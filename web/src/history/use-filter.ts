import { useEffect, useState } from 'react'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'

export interface HistoryFilter {
  readonly search: string
  readonly kind: Kind | ''
  readonly status: Status | 'all'
}

/** What the history is narrowed to. It stands in the address, so that it is there again when one comes back. */
export function useHistoryFilter(): [HistoryFilter, (change: Partial<HistoryFilter>) => void] {
  const [filter, setFilter] = useState(readFilter)
  useEffect(() => {
    const { search, kind, status } = filter
    const query = new URLSearchParams({
      ...(search === '' ? {} : { q: search }),
      ...(kind === '' ? {} : { kind }),
      ...(status === 'all' ? {} : { status }),
    })
    history.replaceState(history.state, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}`)
  }, [filter])
  return [filter, change => setFilter(before => ({ ...before, ...change }))]
}

function readFilter(): HistoryFilter {
  const query = new URLSearchParams(location.search)
  return {
    search: query.get('q') ?? '',
    kind: kinds.find(one => one === query.get('kind')) ?? '',
    status: statuses.find(one => one === query.get('status')) ?? 'all',
  }
}
