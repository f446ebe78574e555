import { BeckonError } from '../protocol/index.ts'
import type { Batch, Prepared } from './prepare.ts'
import type { EventRecord, NewEvent } from './records.ts'
import type { RequestRow } from './schema.ts'

/** One connection to a database: what a session needs of it, and all that differs between the two databases. */
export interface Connection {
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>
  /** One row by its id, read or changed. Where a statement costs, all in one turn of the event loop share one. */
  byId<Row extends { id: string }>(lookup: Lookup<Row>, id: string): Promise<Row | undefined>
  /** Rows by several values, in the same way. */
  batched<Values, Row>(batch: Batch<Values, Row>, values: Values): Promise<Row[]>
}

/** The same statement for one id and for many. `now` is the time of the transaction, where the database needs to be told. */
export interface Lookup<Row> {
  readonly one: Prepared<{ id: string; now: number }, Row>
  readonly many: Prepared<{ ids: readonly string[] }, Row>
}

/** A decision that is stored together with the commit, if the request is still pending then; announced only if so. */
export interface SettlementAtCommit {
  readonly status: string
  readonly outcome: string
  readonly at: number
  readonly event: NewEvent
  /** Known after the commit; stays null when somebody else was first. */
  row: RequestRow | null
}

/** What is sent together with the commit. */
export interface CommitWork {
  readonly events: NewEvent[]
  /** By request: one decision for each, the first. */
  readonly settlements: Map<string, SettlementAtCommit>
  /** Statements that were sent already; the commit fails if one of them does. */
  readonly sent: readonly Promise<unknown>[]
}

/** The part that all changes of a transaction fill in together. */
export type SharedWork = Pick<CommitWork, 'events' | 'settlements'>

/** A transaction that is open on a connection, from BEGIN to COMMIT. */
export interface OpenTransaction extends Connection {
  now(): Promise<number>
  /** A statement without a result: it is run before the next one, and may share a statement with others like it. */
  send<Values>(batch: Batch<Values>, values: Values): Promise<unknown>
  /**
   * Stores the decisions, numbers and stores the events, and commits, unless a statement that was sent has failed.
   * Returns the events as they were stored.
   */
  commit(work: CommitWork): Promise<EventRecord[]>
  /** Why a statement failed, if one did: the later ones fail for the same reason, and nothing can be committed. */
  failure(): Error | null
  rollback(): Promise<void>
  /** Whether a commit took effect although its acknowledgement was lost; throws where that cannot be found out. */
  wasCommitted(): Promise<boolean>
}

/** What is true for one change of a transaction. */
export interface ChangeContext {
  readonly locks: ReadonlySet<string>
  readonly alreadyCommitted: boolean
}

/** The connection broke, or the database asks for a retry. The transaction can find out whether a commit took effect. */
export class ConnectionLost extends BeckonError {
  /** The server is there, and will accept connections soon. */
  readonly isTemporary: boolean
  constructor(cause: unknown, isTemporary = false) {
    super('unreachable', 'The connection to the database broke.', null, cause)
    this.isTemporary = isTemporary
  }
}
