import { sql } from 'kysely'
import { runEnds } from '../../protocol/index.ts'

export const ended: readonly string[] = runEnds

// A bare `limit ?` makes SQLite plan the statement again at every call, because the plan may depend on the number.
export const one = sql.lit(1)
export const upTo = (limit: number) => sql<number>`${limit} + 0`
