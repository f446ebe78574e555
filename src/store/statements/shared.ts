import { sql } from 'kysely'
import { runEnds } from '../../protocol/index.ts'

export const ended: readonly string[] = runEnds

// A bare `limit ?` makes SQLite plan the statement again at every call, because the plan may depend on the number.
export const one = sql.lit(1)
export const upTo = (limit: number) => sql<number>`${limit} + 0`

/** Documents are JSON texts, in which some characters are escaped. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Requests by their ids, each of them once; conditions follow. The ids are one value: a statement takes a limited number of
 * them. Not an IN on PostgreSQL, which may then look through the whole list for each request.
 */
export function byIds(dialect: 'sqlite' | 'postgres', ids: readonly string[]) {
  const list = JSON.stringify(ids)
  return dialect === 'sqlite'
    ? sql`requests where id in (select value from json_each(${list}))`
    : sql`json_array_elements_text(${list}::json) as wanted(wanted_id) join requests on id = wanted_id where true`
}
