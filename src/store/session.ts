import type { Compilable, Kysely } from 'kysely'
import type { Outcome } from '../protocol/index.ts'
import type { Closing, Connection, OpenTransaction, Settling } from './connection.ts'
import type { Prepared } from './prepare.ts'
import type {
  CheckpointRecord,
  DraftRecord,
  EventRecord,
  KeptRecord,
  LogEndRecord,
  LogPieceRecord,
  MessageRecord,
  NewEvent,
  PushKeysRecord,
  RequestRecord,
  RuleRecord,
  RunRecord,
  SealedRecord,
  TargetRecord,
  TokenRecord,
} from './records.ts'
import {
  checkpointToRow,
  draftToRow,
  keptToRow,
  logPieceToRow,
  messageToRow,
  pushKeysToRow,
  requestToRow,
  rowToCheckpoint,
  rowToDraft,
  rowToEvent,
  rowToKept,
  rowToLogEnd,
  rowToLogPiece,
  rowToMessage,
  rowToPushKeys,
  rowToRequest,
  rowToRule,
  rowToRun,
  rowToSealed,
  rowToTarget,
  rowToToken,
  ruleToRow,
  runToRow,
  sealedToRow,
  targetToRow,
  tokenToRow,
} from './rows.ts'
import type { RequestRow, Tables, TargetRow } from './schema.ts'
import type { Statements } from './statements/index.ts'
import type { KeptPlace } from './statements/kept.ts'
import { isSparse, lastLookedAt, listing } from './statements/listing.ts'
import type { Unannounced } from './statements/outbox.ts'
import type { Pruned, RequestQuery, RunQuery, Transaction, View } from './store.ts'

/** What both databases share: the query builder of the dialect and the statements compiled with it. */
export interface Dialect {
  readonly db: Kysely<Tables>
  readonly statements: Statements
}

/** The store's reading verbs over one connection, the same for both databases. */
export class ReadSession implements View {
  protected readonly dialect: Dialect
  protected readonly connection: Connection
  readonly #clock: () => Promise<number>

  constructor(dialect: Dialect, connection: Connection, clock: () => Promise<number>) {
    this.dialect = dialect
    this.connection = connection
    this.#clock = clock
  }

  now() {
    return this.#clock()
  }

  async request(id: string) {
    if (!isId(id)) return null
    const row = await this.connection.byId(this.dialect.statements.request, id)
    return row ? rowToRequest(row) : null
  }

  async isOpen(id: string) {
    if (!isId(id)) return null
    const row = await this.connection.byId(this.dialect.statements.status, id)
    return row ? row.status === 'pending' : null
  }

  async requestByKey(scope: string, key: string) {
    return firstRequest(await this.query(this.dialect.statements.requestByKey, { scope, key }))
  }

  async nextOfContentInRun(content: string, start: number) {
    const [count] = await this.query(this.dialect.statements.takenInRun, { content, start })
    const n = Number(count?.taken ?? 0)
    return firstRequest(await this.query(this.dialect.statements.nthOfContent, { content, n }))
  }

  async untakenOfContent(content: string, agent: string, since = 0) {
    return firstRequest(await this.query(this.dialect.statements.untakenOfContent, { content, agent, since }))
  }

  async draft(request: string) {
    if (!isId(request)) return null
    const [row] = await this.query(this.dialect.statements.draft, { request })
    return row ? rowToDraft(row) : null
  }

  async requests(query: RequestQuery) {
    const none = { records: [], bytes: 0, behind: null }
    if (query.run !== null && !isId(query.run)) return none
    const { db } = this.dialect
    const [last] = isSparse(query) ? await this.select<{ id: string }>(lastLookedAt(db, query)) : []
    const rows = await this.select<RequestRow>(listing(db, query, last?.id ?? null))
    const bytes = rows.reduce((sum, { body, context, outcome }) => sum + lengthOf(body, context, outcome), 0)
    return { records: rows.map(rowToRequest), bytes, behind: last?.id ?? null }
  }

  async openOfRun(run: string) {
    return (await this.query(this.dialect.statements.openOfRun, { run })).map(rowToRequest)
  }

  async due(now: number, limit: number) {
    return (await this.query(this.dialect.statements.due, { now, limit })).map(rowToRequest)
  }

  async nextDue() {
    const [row] = await this.query(this.dialect.statements.nextDue, {})
    return row?.due ?? null
  }

  async events(after: number, limit: number): Promise<EventRecord[]> {
    return (await this.query(this.dialect.statements.events, { after, limit })).map(rowToEvent)
  }

  async lastEvent() {
    const [row] = await this.query(this.dialect.statements.lastEvent, {})
    return row?.last ?? 0
  }

  async run(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.run, { id })
    return row ? rowToRun(row) : null
  }

  async runs({ which, host, local, token, limit }: RunQuery) {
    const { runs, activeRuns, awakeRuns, readyRuns } = this.dialect.statements
    const statement = { all: runs, active: activeRuns, awake: awakeRuns, ready: readyRuns }[which]
    return (await this.query(statement, { host, local: Number(local), token, limit })).map(rowToRun)
  }

  async logEnd(run: string) {
    if (!isId(run)) return null
    const [row] = await this.query(this.dialect.statements.logEnd, { run })
    return row ? rowToLogEnd(row) : null
  }

  async logStart(run: string) {
    const [row] = await this.query(this.dialect.statements.logStart, { run })
    return row?.start_offset ?? 0
  }

  async logPieces(run: string, { offset, notes }: { offset: number; notes: number }, limit: number) {
    if (!isId(run)) return []
    return (await this.query(this.dialect.statements.logPieces, { run, offset, notes, limit })).map(rowToLogPiece)
  }

  async checkpoint(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.checkpoint, { id })
    return row ? rowToCheckpoint(row) : null
  }

  async checkpoints(run: string, limit: number) {
    return (await this.query(this.dialect.statements.checkpoints, { run, limit })).map(rowToCheckpoint)
  }

  async sealed(request: string): Promise<SealedRecord | null> {
    const [row] = await this.query(this.dialect.statements.sealed, { request })
    return row ? rowToSealed(row) : null
  }

  async rule(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.rule, { id })
    return row ? rowToRule(row) : null
  }

  async rules() {
    return (await this.query(this.dialect.statements.rules, {})).map(rowToRule)
  }

  /** The fingerprint binds as long as something is sealed under it. */
  async fingerprint() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'key_fingerprint' })
    if (!row) return null
    const { anySealed, anyKept, anyTarget, pushKeys } = this.dialect.statements
    for (const any of [anySealed, anyKept, anyTarget, pushKeys] as Prepared<object, unknown>[])
      if ((await this.query(any, {})).length > 0) return row.value
    return null
  }

  async kept() {
    return (await this.query(this.dialect.statements.kept, {})).map(rowToKept)
  }

  async keptByName(name: string) {
    const [row] = await this.query(this.dialect.statements.keptByName, { name })
    return row ? rowToKept(row) : null
  }

  async keptFor(place: KeptPlace) {
    const [row] = await this.query(this.dialect.statements.keptFor, place)
    return row ? rowToKept(row) : null
  }

  async token(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.token, { id })
    return row ? rowToToken(row) : null
  }

  async tokenByHash(hash: string) {
    const [row] = await this.query(this.dialect.statements.tokenByHash, { hash })
    return row ? rowToToken(row) : null
  }

  async tokens(limit: number) {
    return (await this.query(this.dialect.statements.tokens, { limit })).map(rowToToken)
  }

  async sessions(name: string | null, limit: number) {
    const now = await this.now()
    return (await this.query(this.dialect.statements.sessions, { name, now, limit })).map(rowToToken)
  }

  async revokedSince(since: number) {
    return (await this.query(this.dialect.statements.revokedSince, { since })).map(row => row.id)
  }

  async targets() {
    return (await this.query(this.dialect.statements.targets, {})).map(rowToTarget)
  }

  async target(id: string) {
    return firstTarget(await this.query(this.dialect.statements.target, { id }))
  }

  async targetByName(name: string) {
    return firstTarget(await this.query(this.dialect.statements.targetByName, { name }))
  }

  async targetByMark(mark: string) {
    return firstTarget(await this.query(this.dialect.statements.targetByMark, { mark }))
  }

  async pushKeys() {
    const [row] = await this.query(this.dialect.statements.pushKeys, {})
    return row ? rowToPushKeys(row) : null
  }

  async message(id: string) {
    const [row] = await this.query(this.dialect.statements.message, { id })
    return row ? rowToMessage(row) : null
  }

  async dueMessages(target: string, now: number, limit: number) {
    return (await this.query(this.dialect.statements.dueMessages, { target, now, limit })).map(rowToMessage)
  }

  async nextMessage() {
    const [row] = await this.query(this.dialect.statements.nextMessage, {})
    return row?.due ?? null
  }

  async waitingMessages() {
    const [row] = await this.query(this.dialect.statements.waitingMessages, {})
    return Number(row?.count ?? 0)
  }

  async countMessages(since: number) {
    const rows = await this.query(this.dialect.statements.countMessages, { since })
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  }

  async unannounced(query: Unannounced) {
    return (await this.query(this.dialect.statements.unannounced, query)).map(rowToRequest)
  }

  async outboxCursor() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'outbox_cursor' })
    return row ? Number(row.value) : null
  }

  protected select<Row>(query: Compilable): Promise<Row[]> {
    const { sql, parameters } = query.compile()
    return this.connection.rows<Row>(sql, parameters)
  }

  protected query<Values, Row>(statement: Prepared<Values, Row>, values: Values): Promise<Row[]> {
    return this.connection.rows<Row>(statement.sql, statement.bind(values))
  }
}

/** The changing verbs; one of these per change, so that a batch knows which member wrote and what it announced. */
export class WriteSession extends ReadSession implements Transaction {
  readonly #transaction: OpenTransaction
  readonly #closing: Pick<Closing, 'events' | 'settling'>
  /** Sent, and to be heard of before the commit. */
  readonly sent: Promise<unknown>[] = []
  wrote = false
  readonly happened: boolean

  /** `closing` is shared by all changes of a transaction: events are numbered in the order in which they happened. */
  constructor(
    dialect: Dialect,
    transaction: OpenTransaction,
    closing: Pick<Closing, 'events' | 'settling'>,
    happened: boolean,
  ) {
    super(dialect, transaction, transaction.now)
    this.#transaction = transaction
    this.#closing = closing
    this.happened = happened
  }

  lock(name: string) {
    return this.#transaction.lock(name)
  }

  async insertRequest(request: RequestRecord) {
    this.send(this.dialect.statements.insertRequest, requestToRow(request))
  }

  async settle(id: string, outcome: Outcome, at: number) {
    const values = { id, at, status: outcome.status, outcome: JSON.stringify(outcome) }
    return firstRequest(await this.write(this.dialect.statements.settle, values))
  }

  settleAtCommit(id: string, outcome: Outcome, at: number, event: NewEvent) {
    this.wrote = true
    const { settling } = this.#closing
    if (settling.has(id)) return () => null
    const mine: Settling = { status: outcome.status, outcome: JSON.stringify(outcome), at, event, row: null }
    settling.set(id, mine)
    return () => (mine.row ? rowToRequest(mine.row) : null)
  }

  async settleDue(id: string, outcome: Outcome, at: number) {
    const values = { id, at, status: outcome.status, outcome: JSON.stringify(outcome) }
    return firstRequest(await this.write(this.dialect.statements.settleDue, values))
  }

  async remind(id: string, seen: number, next: number | null) {
    return (await this.write(this.dialect.statements.remind, { id, seen, next })).length > 0
  }

  async reschedule(id: string, deadline: { timeout: number; due: number } | null) {
    const values = { id, timeout: deadline?.timeout ?? null, due: deadline?.due ?? null }
    return firstRequest(await this.write(this.dialect.statements.reschedule, values))
  }

  async deliver(id: string, at: number) {
    return firstRequest(await this.write(this.dialect.statements.deliver, { id, at }))
  }

  async redeliver(id: string) {
    await this.write(this.dialect.statements.redeliver, { id })
  }

  async use(id: string, at: number) {
    return firstRequest(await this.write(this.dialect.statements.use, { id, at }))
  }

  async saveDraft(draft: DraftRecord) {
    return (await this.write(this.dialect.statements.saveDraft, draftToRow(draft))).length > 0
  }

  async deleteDraft(request: string) {
    await this.write(this.dialect.statements.deleteDraft, { request })
  }

  append(event: NewEvent) {
    this.wrote = true
    this.#closing.events.push(event)
  }

  async insertRun(run: RunRecord) {
    await this.write(this.dialect.statements.insertRun, runToRow(run))
  }

  async replaceRun(run: RunRecord, seen: RunRecord['status']) {
    return (await this.write(this.dialect.statements.replaceRun, { ...runToRow(run), seen })).length > 0
  }

  async holdRun(id: string) {
    return (await this.write(this.dialect.statements.holdRun, { id })).length > 0
  }

  async insertLogPiece(piece: LogPieceRecord) {
    await this.write(this.dialect.statements.insertLogPiece, logPieceToRow(piece))
  }

  async trimLog(run: string, { total, number }: LogEndRecord, keep: number) {
    await this.write(this.dialect.statements.trimLog, { run, total: total - keep, last: number })
  }

  async insertCheckpoint(checkpoint: CheckpointRecord) {
    await this.write(this.dialect.statements.insertCheckpoint, checkpointToRow(checkpoint))
  }

  async seal(sealed: SealedRecord) {
    await this.write(this.dialect.statements.seal, sealedToRow(sealed))
  }

  async unseal(request: string) {
    await this.write(this.dialect.statements.unseal, { request })
  }

  async unsealRun(run: string) {
    await this.write(this.dialect.statements.unsealRun, { run })
  }

  async insertKept(kept: KeptRecord) {
    await this.write(this.dialect.statements.insertKept, keptToRow(kept))
  }

  async takeKept(id: string, at: number) {
    return (await this.write(this.dialect.statements.takeKept, { id, at })).length > 0
  }

  async deleteKept(id: string) {
    return (await this.write(this.dialect.statements.deleteKept, { id })).length > 0
  }

  async unsealKept(id: string) {
    await this.write(this.dialect.statements.unsealKept, { id })
  }

  async insertRule(rule: RuleRecord) {
    await this.write(this.dialect.statements.insertRule, ruleToRow(rule))
  }

  async removeRule(id: string, by: string, at: number) {
    if (!isId(id)) return null
    const [row] = await this.write(this.dialect.statements.removeRule, { id, by, at })
    return row ? rowToRule(row) : null
  }

  async setFingerprint(value: string) {
    await this.write(this.dialect.statements.setMeta, { name: 'key_fingerprint', value })
  }

  async insertToken(token: TokenRecord) {
    await this.write(this.dialect.statements.insertToken, tokenToRow(token))
  }

  async revokeToken(id: string, at: number) {
    if (!isId(id)) return []
    return (await this.write(this.dialect.statements.revokeToken, { id, at })).map(rowToToken)
  }

  async spendLink(hash: string, at: number) {
    const [row] = await this.write(this.dialect.statements.spendLink, { hash, at })
    return row ? rowToToken(row) : null
  }

  async touchToken(id: string, at: number) {
    await this.write(this.dialect.statements.touchToken, { id, at })
  }

  async insertTarget(target: TargetRecord) {
    await this.write(this.dialect.statements.insertTarget, targetToRow(target))
  }

  async deleteTarget(id: string) {
    const { deleteTarget, deleteMessages } = this.dialect.statements
    // Nobody writes messages to it meanwhile.
    await this.lock('outbox')
    const deleted = await this.write(deleteTarget, { id })
    await this.write(deleteMessages, { target: id })
    return deleted.length > 0
  }

  async deleteTargetsOf(token: string) {
    for (const { id } of await this.query(this.dialect.statements.targetsOfToken, { token }))
      await this.deleteTarget(id)
  }

  async insertPushKeys(keys: PushKeysRecord) {
    await this.write(this.dialect.statements.insertPushKeys, pushKeysToRow(keys))
  }

  async insertMessage(message: MessageRecord) {
    return (await this.write(this.dialect.statements.insertMessage, messageToRow(message))).length > 0
  }

  async leaseMessage(id: string, seen: number, until: number) {
    const [row] = await this.write(this.dialect.statements.leaseMessage, { id, seen, until })
    return row ? rowToMessage(row) : null
  }

  async finishMessage({ id, state, due, doneAt, error }: MessageRecord, lease: number) {
    const values = { id, lease, state, due, at: doneAt, error }
    return (await this.write(this.dialect.statements.finishMessage, values)).length > 0
  }

  async cancelMessages(request: string, at: number) {
    return (await this.write(this.dialect.statements.cancelMessages, { request, at })).length
  }

  async setOutboxCursor(event: number) {
    await this.write(this.dialect.statements.setMeta, { name: 'outbox_cursor', value: String(event) })
  }

  async prune(before: number): Promise<Pruned> {
    const requests = await this.write(this.dialect.statements.pruneRequests, { before })
    const events = await this.write(this.dialect.statements.pruneEvents, { before })
    const runs = await this.write(this.dialect.statements.pruneRuns, { before })
    const checkpoints = (await this.write(this.dialect.statements.pruneCheckpoints, {})).map(rowToCheckpoint)
    await this.write(this.dialect.statements.pruneLogs, {})
    await this.write(this.dialect.statements.pruneDrafts, {})
    await this.write(this.dialect.statements.pruneSealed, {})
    await this.write(this.dialect.statements.pruneTokens, { before })
    await this.write(this.dialect.statements.pruneOutbox, {})
    return {
      requests: requests.map(({ id }) => id),
      events: events.length,
      runs: runs.map(({ id }) => id),
      checkpoints,
    }
  }

  /** A change without an answer: there is no need to wait for it before the next is sent. */
  private send<Values>(statement: Prepared<Values, unknown>, values: Values): void {
    const sent = this.write(statement, values)
    sent.catch(() => {})
    this.sent.push(sent)
  }

  private write<Values, Row>(statement: Prepared<Values, Row>, values: Values): Promise<Row[]> {
    this.wrote = true
    return this.query(statement, values)
  }
}

function firstRequest(rows: RequestRow[]): RequestRecord | null {
  return rows[0] ? rowToRequest(rows[0]) : null
}

function firstTarget(rows: TargetRow[]): TargetRecord | null {
  return rows[0] ? rowToTarget(rows[0]) : null
}

function lengthOf(...texts: (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

/** What is no id is the id of nothing; PostgreSQL would choke on some of it. */
function isId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text)
}
