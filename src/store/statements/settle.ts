import { type Kysely, type RawBuilder, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { RequestRow, Tables } from '../schema.ts'

export interface Settlement {
  id: string
  status: string
  at: number
  outcome: string
}

/** Each a value, or an SQL expression for it. */
type SettlementSql = { [Name in keyof Settlement]: Settlement[Name] | RawBuilder<Settlement[Name]> }

/**
 * The one update that settles requests, and only pending ones. No row back means that somebody else was first. `more` is
 * what an UPDATE may have between SET and WHERE: the table that the expressions come from.
 */
export function settlePending({ id, status, at, outcome }: SettlementSql, more = sql``) {
  return sql`update requests set status = ${status}, settled_at = ${at}, outcome = ${outcome}, due = null ${more}
    where requests.id = ${id} and requests.status = 'pending'`
}

export function settleStatements(db: Kysely<Tables>) {
  return {
    settle: prepare<Settlement, RequestRow>(value =>
      compilable(db, sql`${settlePending(valuesOf(value))} returning *`),
    ),

    // A deadline that was moved meanwhile does not fire.
    settleDue: prepare<Settlement, RequestRow>(value =>
      compilable(db, sql`${settlePending(valuesOf(value))} and due <= ${value('at')} returning *`),
    ),
  }
}

export function valuesOf(value: <Name extends keyof Settlement>(name: Name) => Settlement[Name]): Settlement {
  return { id: value('id'), status: value('status'), at: value('at'), outcome: value('outcome') }
}

export function compilable<Row>(db: Kysely<Tables>, query: RawBuilder<unknown>) {
  return { compile: () => query.$castTo<Row>().compile(db) }
}
