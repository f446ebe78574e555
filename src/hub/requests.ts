import { setImmediate } from 'node:timers/promises'
import {
  type HubApi,
  invalid,
  type ListFilter,
  type Request,
  type RequestPage,
  timeout as timeoutSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { requestLock } from '../store/locks.ts'
import type { RequestRecord } from '../store/records.ts'
import type { RequestQuery, Store, Transaction } from '../store/store.ts'
import { isOverdue, settleByDeadline } from './fire-deadline.ts'
import { notFound } from './not-found.ts'
import { maxPageSize, pageSize } from './page-size.ts'
import { toRequest } from './to-protocol.ts'

// A page costs no more than this, whatever agents have asked: then it ends early, and `next` leads on.
const maxBytes = 16 * 1024 * 1024
const maxEmptyScans = 25
const firstRows = 32
const largeRow = 64 * 1024

interface Options {
  store: Store
  /** Called after a deadline was moved. */
  onDeadline: () => void
  /** Called instead where the deadline had passed, and settled the request. */
  onDeadlineSettled: (request: Request) => void
}

/** Reading requests, and moving their deadlines. */
export function createRequests({ store, onDeadline, onDeadlineSettled }: Options) {
  const requests: Pick<HubApi, 'get' | 'list' | 'reschedule'> = {
    get: async id => needRequest(id, await store.read(view => view.request(id))),

    list: filter => listRequests(store, filter),

    async reschedule(id, given) {
      const timeout = given === null ? null : parse(timeoutSchema, given)
      const { record, byDeadline } = await store.change(tx => moveDeadline(tx, id, timeout), requestLock(id))
      const request = needRequest(id, record)
      if (byDeadline) onDeadlineSettled(request)
      else onDeadline()
      return request
    },
  }
  return requests
}

async function moveDeadline(tx: Transaction, id: string, timeout: number | null) {
  const [seen, now] = await Promise.all([tx.request(id), tx.now()])
  // Where nobody has fired it yet, the old deadline came first all the same.
  if (seen && isOverdue(seen, now)) return settleByDeadline(tx, seen)
  const moved = seen && (await tx.reschedule(id, timeout === null ? null : { timeout, due: now + timeout }))
  return { record: moved ?? seen, byDeadline: false }
}

/** One page of requests; with `scope`, only those that were asked in that key space. */
export async function listRequests(
  store: Store,
  filter: ListFilter = {},
  scope: string | null = null,
): Promise<RequestPage> {
  const size = pageSize(filter.limit ?? 100)
  const query = queryOf(filter, scope)
  // Read before the page: what happens between the two reads is then reported twice rather than missed.
  const cursor = await store.read(view => view.lastEvent())
  const { records, next } = await readPage(store, query, size)
  return { requests: records.map(toRequest), next, cursor }
}

function needRequest(id: string, record: RequestRecord | null): Request {
  if (!record) throw notFound('request', id)
  return toRequest(record)
}

function queryOf(filter: ListFilter, scope: string | null): Omit<RequestQuery, 'limit'> {
  const { status = 'pending', run, kind, after, order = 'asc', search, session } = filter
  if (after !== undefined && !/^[\w-]{1,100}$/.test(after)) {
    throw invalid([{ path: 'after', message: 'is not a cursor; send `next` of the previous page' }])
  }
  return {
    status: status === 'all' ? null : status,
    run: run ?? null,
    kind: kind ?? null,
    scope,
    search: search || null,
    session: session || null,
    newestFirst: order === 'desc',
    after: after ?? null,
  }
}

/** Reads in pieces and yields to the event loop between them. */
async function readPage(store: Store, query: Omit<RequestQuery, 'limit'>, size: number) {
  const records: RequestRecord[] = []
  let { after } = query
  let rows = firstRows
  let bytes = 0
  for (let emptyScans = 0; emptyScans < maxEmptyScans && bytes < maxBytes; await setImmediate()) {
    const limit = Math.min(rows, size + 1 - records.length)
    const scan = await store.read(view => view.requests({ ...query, after, limit }))
    records.push(...scan.records)
    bytes += scan.bytes
    if (records.length > size) return { records: records.slice(0, size), next: records[size - 1]?.id ?? null }
    const isFull = scan.records.length === limit
    if (!isFull && scan.scannedTo === null) return { records, next: null }
    after = isFull ? (records.at(-1)?.id ?? null) : scan.scannedTo
    if (!isFull) emptyScans += 1
    rows = bytes / (records.length || 1) < largeRow ? maxPageSize : firstRows
  }
  return { records, next: after }
}
