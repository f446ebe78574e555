import { setImmediate } from 'node:timers/promises'
import { invalid, type ListFilter, type RequestPage } from '../protocol/index.ts'
import type { RequestRecord } from '../store/records.ts'
import type { RequestQuery, Store } from '../store/store.ts'
import { showRequest } from './to-protocol.ts'

export const mostOfAPage = 1_000

// One page costs no more than this, whatever agents have asked: then it ends early, and leads on by `next`.
const mostBytes = 16 * 1024 * 1024
const mostLooks = 25
const firstRows = 32
const largeRow = 64 * 1024

/** A page of what was asked; `scope` lists only what was asked in a key space. */
export async function listRequests(
  store: Store,
  filter: ListFilter = {},
  scope: string | null = null,
): Promise<RequestPage> {
  const size = pageSize(filter.limit ?? 100)
  const query = queryOf(filter, scope)
  // Read first: what happens between the two is told once more, and not missed.
  const cursor = await store.read(view => view.lastEvent())
  const { records, next } = await readPage(store, query, size)
  return { requests: records.map(showRequest), next, cursor }
}

export function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.floor(limit) || 1), mostOfAPage)
}

function queryOf(filter: ListFilter, scope: string | null): Omit<RequestQuery, 'limit'> {
  const { status = 'pending', run, kind, after, order = 'asc', search } = filter
  if (after !== undefined && !/^[\w-]{1,100}$/.test(after)) {
    throw invalid([{ path: 'after', message: 'is no cursor; send `next` of the page before' }])
  }
  return {
    status: status === 'all' ? null : status,
    run: run ?? null,
    kind: kind ?? null,
    scope,
    search: search || null,
    newestFirst: order === 'desc',
    after: after ?? null,
  }
}

/** In pieces, between which others have their turn. */
async function readPage(store: Store, query: Omit<RequestQuery, 'limit'>, size: number) {
  const records: RequestRecord[] = []
  let { after } = query
  let rows = firstRows
  let bytes = 0
  for (let looks = 0; looks < mostLooks && bytes < mostBytes; await setImmediate()) {
    const limit = Math.min(rows, size + 1 - records.length)
    const look = await store.read(view => view.requests({ ...query, after, limit }))
    records.push(...look.records)
    bytes += look.bytes
    if (records.length > size) return { records: records.slice(0, size), next: records[size - 1]?.id ?? null }
    const isFull = look.records.length === limit
    if (!isFull && look.behind === null) return { records, next: null }
    after = isFull ? (records.at(-1)?.id ?? null) : look.behind
    if (!isFull) looks += 1
    rows = bytes / (records.length || 1) < largeRow ? mostOfAPage : firstRows
  }
  return { records, next: after }
}
