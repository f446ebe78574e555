import type { Compilable } from 'kysely'
import type { Connection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Prepared } from './prepare.ts'
import type { EventRecord, RequestRecord, SealedRecord, TargetRecord } from './records.ts'
import {
  rowToAnswerRule,
  rowToCheckpoint,
  rowToDraft,
  rowToEvent,
  rowToInboxCount,
  rowToInboxEntry,
  rowToKept,
  rowToLogEnd,
  rowToLogPiece,
  rowToMessage,
  rowToPushKeys,
  rowToRequest,
  rowToRule,
  rowToRun,
  rowToTarget,
  rowToToken,
} from './rows.ts'
import type { RequestRow, TargetRow } from './schema.ts'
import type { Window, WindowRow } from './statements/garbage.ts'
import type {
  InboxConditions,
  InboxCountRow,
  InboxDetailRow,
  InboxPlaceRow,
  InboxPosition,
  InboxReader,
} from './statements/inbox.ts'
import type { KeptQuery } from './statements/kept.ts'
import { endOfScan, listing, needsScan } from './statements/listing.ts'
import type { Unannounced } from './statements/outbox.ts'
import type { RequestQuery, RunQuery, View } from './store.ts'

// Every person has one draft of a request; a program that saves under ever new names must not fill a screen.
const mostDrafts = 20

/** The reading verbs over one connection, the same for both databases. */
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

  async answeredBefore(question: string, but: string, limit: number) {
    return (await this.query(this.dialect.statements.answeredBefore, { question, but, limit })).map(rowToRequest)
  }

  async drafts(request: string, reader: string) {
    if (!isId(request)) return []
    return (await this.query(this.dialect.statements.drafts, { request, reader, limit: mostDrafts })).map(rowToDraft)
  }

  async attachment(request: string, id: string): Promise<Uint8Array | null> {
    if (!isId(request) || !isId(id)) return null
    const [row] = await this.query(this.dialect.statements.attachment, { request, id })
    return row?.bytes ?? null
  }

  async requests(query: RequestQuery) {
    const none = { records: [], bytes: 0, scannedTo: null }
    if (query.run !== null && !isId(query.run)) return none
    const { db } = this.dialect
    const [last] = needsScan(query) ? await this.select<{ id: string }>(endOfScan(db, query)) : []
    const rows = await this.select<RequestRow>(listing(db, query, last?.id ?? null))
    const bytes = rows.reduce((sum, { body, context, outcome }) => sum + lengthOf(body, context, outcome), 0)
    return { records: rows.map(rowToRequest), bytes, scannedTo: last?.id ?? null }
  }

  async newestPending() {
    const [row] = await this.select<{ id: string }>(this.dialect.statements.inbox.newest())
    return row?.id ?? null
  }

  async inboxCounts(reader: InboxReader) {
    const rows = await this.select<InboxCountRow>(this.dialect.statements.inbox.counts(reader))
    return rows.map(rowToInboxCount)
  }

  async inboxFound(reader: InboxReader, conditions: InboxConditions) {
    const [row] = await this.select<{ count: number }>(this.dialect.statements.inbox.found(reader, conditions))
    return Number(row?.count ?? 0)
  }

  async inboxPlaces(
    reader: InboxReader,
    conditions: InboxConditions,
    { after, limit }: { after: InboxPosition | null; limit: number },
  ) {
    const rows = await this.select<InboxPlaceRow>(
      this.dialect.statements.inbox.places(reader, conditions, after, limit),
    )
    return rows.map(({ id, urgency, members }) => ({
      id,
      urgency: Number(urgency),
      members: members === null ? null : Number(members),
    }))
  }

  async inboxEntries(person: string, ids: readonly string[]) {
    if (ids.length === 0) return []
    const rows = await this.select<InboxDetailRow>(this.dialect.statements.inbox.details(person, ids))
    return rows.map(rowToInboxEntry)
  }

  async matchingPending(words: readonly string[], { from, size }: { from: string; size: number }) {
    const { nextSlice, matching } = this.dialect.statements.inbox
    const [end] = await this.select<{ id: string }>(nextSlice(from, size))
    const next = end?.id ?? null
    const rows = await this.select<{ id: string }>(matching(words, from, next))
    return { ids: rows.map(({ id }) => id), next }
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

  async deletedEvents() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'deleted_events' })
    return Number(row?.value ?? 0)
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
    return row ?? null
  }

  async rule(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.rule, { id })
    return row ? rowToRule(row) : null
  }

  async rules() {
    return (await this.query(this.dialect.statements.rules, {})).map(rowToRule)
  }

  async answerRule(id: string) {
    if (!isId(id)) return null
    const [row] = await this.query(this.dialect.statements.answerRule, { id })
    return row ? rowToAnswerRule(row) : null
  }

  async answerRules() {
    return (await this.query(this.dialect.statements.answerRules, {})).map(rowToAnswerRule)
  }

  async answerRulesFor(binding: string) {
    return (await this.query(this.dialect.statements.answerRulesFor, { binding })).map(rowToAnswerRule)
  }

  /** The store stays bound to a key as long as something is sealed with it. */
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

  async keptFor(query: KeptQuery) {
    const [row] = await this.query(this.dialect.statements.keptFor, query)
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

  async nextGarbageCollection() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'next_gc' })
    return row ? Number(row.value) : null
  }

  async oldRequests(window: Window<string>) {
    return firstWindow(await this.query(this.dialect.statements.oldRequests, window))
  }

  async oldRuns(window: Window<string>) {
    return firstWindow(await this.query(this.dialect.statements.oldRuns, window))
  }

  async oldEvents(window: Window<number>) {
    return firstWindow(await this.query(this.dialect.statements.oldEvents, window))
  }

  async probedAt() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'probed_at' })
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

export function firstRequest(rows: RequestRow[]): RequestRecord | null {
  return rows[0] ? rowToRequest(rows[0]) : null
}

function firstTarget(rows: TargetRow[]): TargetRecord | null {
  return rows[0] ? rowToTarget(rows[0]) : null
}

function firstWindow<Key>([row]: WindowRow<Key>[]): WindowRow<Key> {
  return row ?? { last: null, found: 0, begun: 0 }
}

function lengthOf(...texts: (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

/** Anything else is the id of nothing, and may be text that PostgreSQL rejects. */
export function isId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text)
}
