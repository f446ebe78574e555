import { useEffect, useState } from 'react'
import { type Kind, kinds, type Status, statuses } from '../../../src/protocol/status.ts'
import type { RequestFilter } from '../api/requests.ts'
import { useQuery } from '../router.tsx'

// Browsers refuse addresses that change too often.
const writeAfter = 250

/** What is looked for, as it stands in the fields above the list and in the address of the page. */
export interface Fields {
  readonly search: string
  readonly kind: Kind | ''
  readonly status: Status | ''
}

/** The fields. They stand in the address too, so that they are there again when one comes back. */
export function useFields(): [Fields, (change: Partial<Fields>) => void] {
  const query = useQuery()
  const [fields, setFields] = useState(() => fieldsIn(query))
  const [followed, setFollowed] = useState(query)
  // The address was changed by somebody else, such as the tab that leads here.
  if (query !== followed) {
    setFollowed(query)
    if (query !== queryOf(fields)) setFields(fieldsIn(query))
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = queryOf(fields)
      if (location.search !== wanted) history.replaceState(history.state, '', `${location.pathname}${wanted}`)
    }, writeAfter)
    return () => clearTimeout(timer)
  }, [fields])
  return [fields, change => setFields(before => ({ ...before, ...change }))]
}

function fieldsIn(query: string): Fields {
  const asked = new URLSearchParams(query)
  return {
    search: asked.get('q') ?? '',
    kind: kinds.find(kind => kind === asked.get('kind')) ?? '',
    status: statuses.find(status => status === asked.get('status')) ?? '',
  }
}

function queryOf({ search, kind, status }: Fields): string {
  const asked = { q: search.trim(), kind, status }
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString()
  return query === '' ? '' : `?${query}`
}

export function filterOf({ search, kind, status }: Fields): RequestFilter {
  return { status: status || 'all', order: 'desc', search: search.trim(), ...(kind === '' ? {} : { kind }) }
}
