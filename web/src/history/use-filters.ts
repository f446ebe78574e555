import { useEffect, useState } from 'react'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'
import type { RequestFilter } from '../api/requests.ts'
import { useQuery } from '../router.tsx'

// Browsers refuse to change the address too often.
const writeAfter = 250

/** The filters above the list. */
export interface Filters {
  readonly search: string
  readonly kind: Kind | ''
  readonly status: Status | ''
}

/** The filters, kept in the page's address so that they survive leaving the page. */
export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const query = useQuery()
  const [filters, setFilters] = useState(() => parseFilters(query))
  const [lastQuery, setLastQuery] = useState(query)
  // Something else changed the address, such as the link in the navigation.
  if (query !== lastQuery) {
    setLastQuery(query)
    if (query !== toQuery(filters)) setFilters(parseFilters(query))
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = toQuery(filters)
      if (location.search !== wanted) history.replaceState(history.state, '', `${location.pathname}${wanted}`)
    }, writeAfter)
    return () => clearTimeout(timer)
  }, [filters])
  return [filters, change => setFilters(before => ({ ...before, ...change }))]
}

function parseFilters(query: string): Filters {
  const params = new URLSearchParams(query)
  return {
    search: params.get('q') ?? '',
    kind: kinds.find(kind => kind === params.get('kind')) ?? '',
    status: statuses.find(status => status === params.get('status')) ?? '',
  }
}

function toQuery({ search, kind, status }: Filters): string {
  const params = { q: search.trim(), kind, status }
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== '')).toString()
  return query === '' ? '' : `?${query}`
}

export function toRequestFilter({ search, kind, status }: Filters): RequestFilter {
  return { status: status || 'all', order: 'desc', search: search.trim(), ...(kind === '' ? {} : { kind }) }
}
