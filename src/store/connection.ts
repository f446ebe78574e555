import { BeckonError } from '../protocol/index.ts'
import type { NewEvent } from './records.ts'

/** One connection to a database: what a session needs of it, and all that differs between the two. */
export interface Connection {
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>
}

/** A transaction that is open on a connection, from BEGIN to COMMIT. */
export interface OpenTransaction extends Connection {
  now(): Promise<number>
  /** Nobody else holds this until we commit. */
  lock(name: string): Promise<void>
  /** Numbers and stores the events, wakes the watchers, and commits, unless something that was sent has failed. */
  commit(events: readonly NewEvent[], sent: readonly Promise<unknown>[]): Promise<void>
  rollback(): Promise<void>
}

/** The connection broke: whether the last commit happened is not known, and the work may be tried again. */
export class ConnectionLost extends BeckonError {
  constructor(cause: unknown) {
    super('unreachable', 'The connection to the database broke.', null, cause)
  }
}
