import { type Kysely, sql } from 'kysely'
import type { RequestRow, Tables } from '../schema.ts'
import type { RequestQuery } from '../store.ts'
import { compilable } from './settle.ts'
import { byIds, inJson } from './shared.ts'

// How many rows one scan looks through for what no index finds: a text, a kind, those that were answered. That takes
// milliseconds on a table of any size.
const scanSize = 2_000

/** A page of requests, up to the row where the scan ends; none below `from`. */
export function listing(db: Kysely<Tables>, query: RequestQuery, last: string | null, from: string | null = null) {
  const { newestFirst, status, kind, search, session = null, limit } = query
  let page = foundByIndex(db, query, from).selectAll().orderBy('id', inOrder(query)).limit(limit)
  if (last !== null) page = page.where('id', newestFirst ? '>=' : '<=', last)
  if (status !== null) page = page.where('status', '=', status)
  if (kind !== null) page = page.where('kind', '=', kind)
  if (session !== null) page = page.where('session', '=', session)
  if (search !== null) page = page.where(contains(search))
  return page
}

/** A page of those that have one of these ids. */
export function listingOf(
  db: Kysely<Tables>,
  dialect: 'sqlite' | 'postgres',
  query: RequestQuery,
  ids: readonly string[],
) {
  const { status, kind, search, session = null, newestFirst, after, limit } = query
  const conditions = [
    ...(after === null ? [] : [newestFirst ? sql`id < ${after}` : sql`id > ${after}`]),
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(kind === null ? [] : [sql`kind = ${kind}`]),
    ...(session === null ? [] : [sql`session = ${session}`]),
    ...(search === null ? [] : [contains(search)]),
  ]
  return compilable<RequestRow>(
    db,
    sql`select requests.* from ${byIds(dialect, ids)} and ${sql.join(conditions, sql` and `)}
      order by id ${sql.raw(inOrder(query))} limit ${limit} + 0`,
  )
}

/** The last row of the scan; none where the scan reaches the end of the table. */
export function endOfScan(db: Kysely<Tables>, query: RequestQuery, from: string | null = null) {
  const rows = foundByIndex(db, query, from).select('id').orderBy('id', inOrder(query))
  return rows.limit(sql.lit(1)).offset(sql.lit(scanSize - 1))
}

/** Whether the listing has to pass over rows that do not match. */
export function needsScan(query: RequestQuery): boolean {
  const { status, kind, search, session = null } = query
  if (kind !== null || search !== null || session !== null) return true
  return status !== null && status !== 'pending' && !isByRareStatus(query)
}

/** Those of one run or asker have an index of their own, and a scan of it ends. */
function isByRareStatus({ status, run, scope }: RequestQuery): boolean {
  return status !== null && status !== 'pending' && status !== 'answered' && run === null && scope === null
}

function foundByIndex(db: Kysely<Tables>, given: RequestQuery, from: string | null) {
  const { status, run, scope, newestFirst, after } = given
  let query = db.selectFrom('requests')
  if (from !== null) query = query.where('id', '>=', from)
  if (status === 'pending') query = query.where('status', '=', status)
  if (isByRareStatus(given)) query = query.where('status', '=', status).where(hasRareStatus)
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

/** Most requests are answered, so a scan finds those. The same as in the index of migration 025. */
const hasRareStatus = sql<boolean>`status not in ('pending', 'answered')`

const searched = ['body', 'context', 'agent', 'outcome', 'id'] as const

function contains(search: string) {
  const pattern = `%${inJson(search).replaceAll(/[!%_]/g, '!$&')}%`
  const matches = searched.map(column => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`)
  return sql<boolean>`(${sql.join(matches, sql` or `)})`
}
