import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'
import type { RequestQuery } from '../store.ts'

// How many rows one scan looks through for what no index finds: a text, a kind, a settled status. That takes milliseconds
// on a table of any size.
const scanSize = 2_000

/** A page of requests, up to the row where the scan ends. */
export function listing(db: Kysely<Tables>, query: RequestQuery, last: string | null) {
  const { newestFirst, status, kind, search, session = null, limit } = query
  let page = foundByIndex(db, query).selectAll().orderBy('id', inOrder(query)).limit(limit)
  if (last !== null) page = page.where('id', newestFirst ? '>=' : '<=', last)
  if (status !== null) page = page.where('status', '=', status)
  if (kind !== null) page = page.where('kind', '=', kind)
  if (session !== null) page = page.where('session', '=', session)
  if (search !== null) page = page.where(contains(search))
  return page
}

/** The last row of the scan; none where the scan reaches the end of the table. */
export function endOfScan(db: Kysely<Tables>, query: RequestQuery) {
  const rows = foundByIndex(db, query).select('id').orderBy('id', inOrder(query))
  return rows.limit(sql.lit(1)).offset(sql.lit(scanSize - 1))
}

/** Whether the listing has to pass over rows that do not match. */
export function needsScan({ status, kind, search, session = null }: RequestQuery): boolean {
  return kind !== null || search !== null || session !== null || (status !== null && status !== 'pending')
}

function foundByIndex(db: Kysely<Tables>, { status, run, scope, newestFirst, after }: RequestQuery) {
  let query = db.selectFrom('requests')
  if (status === 'pending') query = query.where('status', '=', status)
  if (run !== null) query = query.where('run', '=', run)
  if (scope !== null) query = query.where('scope', '=', scope)
  // Repeats the condition of the partial index, so that the planner takes it.
  if (scope?.startsWith('token:')) query = query.where(ofToken)
  if (after !== null) query = query.where('id', newestFirst ? '<' : '>', after)
  return query
}

function inOrder({ newestFirst }: RequestQuery) {
  return newestFirst ? 'desc' : 'asc'
}

/** Asked with a token outside of a run. The same as in the index of migration 008. */
const ofToken = sql<boolean>`substr(scope, 1, 6) = 'token:'`

const searched = ['body', 'context', 'agent', 'outcome', 'id'] as const

/** Documents are JSON texts, in which some characters are escaped. */
function contains(search: string) {
  const inJson = JSON.stringify(search).slice(1, -1)
  const pattern = `%${inJson.replaceAll(/[!%_]/g, '!$&')}%`
  const matches = searched.map(column => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`)
  return sql<boolean>`(${sql.join(matches, sql` or `)})`
}
