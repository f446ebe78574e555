import { BeckonError } from '../protocol/index.ts'
import type { Prepared } from './prepare.ts'
import type { EventRecord, NewEvent } from './records.ts'
import type { RequestRow } from './schema.ts'

/** One connection to a database: what a session needs of it, and all that differs between the two. */
export interface Connection {
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>
  /** One row by its id. Where a round trip costs, all that are asked for in one turn of the event loop share one. */
  byId<Row extends { id: string }>(look: ById<Row>, id: string): Promise<Row | undefined>
}

/** The same look-up for one id and for many. */
export interface ById<Row> {
  readonly one: Prepared<{ id: string }, Row>
  readonly many: Prepared<{ ids: readonly string[] }, Row>
}

/** A decision on its way: stored at the commit if the request is still open then, and announced only if so. */
export interface Settling {
  readonly status: string
  readonly outcome: string
  readonly at: number
  readonly event: NewEvent
  /** Known after the commit; stays null when somebody else was first. */
  row: RequestRow | null
}

/** What goes out together with the commit. */
export interface Closing {
  readonly events: NewEvent[]
  /** By request: one decision for each, the first. */
  readonly settling: Map<string, Settling>
  /** Sent already, and to be heard of. */
  readonly sent: readonly Promise<unknown>[]
}

/** A transaction that is open on a connection, from BEGIN to COMMIT. */
export interface OpenTransaction extends Connection {
  now(): Promise<number>
  /** Nobody else holds this until we commit. */
  lock(name: string): Promise<void>
  /**
   * Stores what was decided, numbers and stores the events, and commits, unless something that was sent has failed.
   * Returns the events as they were stored.
   */
  commit(closing: Closing): Promise<EventRecord[]>
  rollback(): Promise<void>
  /** Whether a commit whose reply never came did happen. */
  happened(): Promise<boolean>
}

/** The connection broke, or the database asks to try again. Whether a commit happened, the transaction can find out. */
export class ConnectionLost extends BeckonError {
  constructor(cause: unknown) {
    super('unreachable', 'The connection to the database broke.', null, cause)
  }
}
