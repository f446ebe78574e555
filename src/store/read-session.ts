import type { Compilable } from 'kysely'
import { type IdNoun, leastOfId } from '../protocol/index.ts'
import type { Connection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { type InboxPage, readPlaces } from './inbox-places.ts'
import type { Prepared } from './prepare.ts'
import type { EventRecord, RequestRecord, SealedRecord, TargetRecord } from './records.ts'
import {
  rowToAnswerRule,
  rowToCallback,
  rowToCheckpoint,
  rowToDraft,
  rowToEvent,
  rowToInboxCount,
  rowToInboxEntry,
  rowToKept,
  rowToLogEnd,
  rowToLogPiece,
  rowToMessage,
  rowToPairing,
  rowToPairingCode,
  rowToPress,
  rowToPushKeys,
  rowToRequest,
  rowToRule,
  rowToRun,
  rowToTarget,
  rowToToken,
} from './rows.ts'
import type { RequestRow, TargetRow } from './schema.ts'
import { type Candidates, nextCandidates, type Wanted, wantedOfText, wantedOfWords } from './search/candidates.ts'
import { beyond, idsOf, indexReader, type Run, readSearchState, type SearchState } from './search/read-index.ts'
import type { Window, WindowRow } from './statements/garbage.ts'
import type { InboxConditions, InboxCountRow, InboxDetailRow, InboxReader } from './statements/inbox.ts'
import type { KeptQuery } from './statements/kept.ts'
import { endOfScan, listing, listingOf, needsScan } from './statements/listing.ts'
import type { Unannounced } from './statements/outbox.ts'
import type { EventGroupRow, EventRange } from './statements/statistics.ts'
import type { RequestQuery, RunQuery, Scan, View } from './store.ts'

// Every person has one draft of a request; a program that saves under ever new names must not fill a screen.
const mostDrafts = 20
// The fewest blocks of requests that a search looks through at a time, and how many pending ones a block may have.
const [leastBlocks, pendingOfBlock] = [16, 16]

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

  async idsEndingWith(noun: IdNoun, end: string, limit: number) {
    const statement = this.dialect.statements.idsEndingWith[noun]
    return (await this.query(statement, { end, tail: end.slice(-leastOfId), limit })).map(({ id }) => id)
  }

  async requestByKey(scope: string, key: string) {
    return firstRequest(await this.connection.batched(this.dialect.statements.requestByKey, { scope, key }))
  }

  async nextOfContentInRun(content: string, start: number) {
    return firstRequest(await this.query(this.dialect.statements.nextOfContentInRun, { content, start }))
  }

  async untakenOfContent(content: string, agent: string, since = 0) {
    return firstRequest(
      await this.connection.batched(this.dialect.statements.untakenOfContent, { content, agent, since }),
    )
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

  async requests(query: RequestQuery): Promise<Scan> {
    if (query.run !== null && !isId(query.run)) return nothing
    const { search, run, scope, newestFirst, after } = query
    // The requests of a run or of a token are few, and have an index of their own.
    const wanted = search !== null && run === null && scope === null ? wantedOfText(search) : null
    const state = wanted && (await this.#searchState(after ?? ''))
    if (!wanted || !state) return this.#scan(query)
    if (!newestFirst) return this.#searchUp(query, wanted, state)
    if (after !== null && !state.isBeyond) return this.#searchDown(query, wanted, state, after)
    const scan = await this.#scan(query, state.end)
    return { ...scan, scannedTo: scan.scannedTo ?? state.end }
  }

  /** The next rows that match, but none below `from`. */
  async #scan(query: RequestQuery, from: string | null = null): Promise<Scan> {
    const { db } = this.dialect
    const [last] = needsScan(query) ? await this.select<{ id: string }>(endOfScan(db, query, from)) : []
    const rows = await this.select<RequestRow>(listing(db, query, last?.id ?? null, from))
    return scanOf(rows, last?.id ?? null)
  }

  async #searchDown(query: RequestQuery, wanted: Wanted, { end, event }: SearchState, after: string): Promise<Scan> {
    const place = { newestFirst: true, after, end, blocks: blocksFor(query) }
    const candidates = await nextCandidates(this.#index(), wanted, place)
    return scanOf(await this.#among(query, candidates, event), candidates.isLast ? null : candidates.lowest)
  }

  async #searchUp(query: RequestQuery, wanted: Wanted, { end, event, isBeyond }: SearchState): Promise<Scan> {
    const { lastBetween } = this.dialect.statements.search
    for (let [after, isLast] = [query.after ?? '', isBeyond]; !isLast; ) {
      const place = { newestFirst: false, after, end, blocks: blocksFor(query) }
      const candidates = await nextCandidates(this.#index(), wanted, place)
      const rows = await this.#among(query, candidates, event)
      const [last] = await this.query(lastBetween, { after: query.after ?? '', beyond: candidates.beyond })
      if (rows.length > 0 || (!candidates.isLast && last?.id)) return scanOf(rows, last?.id ?? null)
      after = candidates.beyond
      isLast = candidates.isLast
    }
    return this.#scan(query, end)
  }

  async #among(query: RequestQuery, candidates: Candidates, event: number): Promise<RequestRow[]> {
    const { db, kind, statements } = this.dialect
    const ids = await idsOf(this.#run(), statements.search.idsWithin, candidates, event)
    return ids.length === 0 ? [] : this.select<RequestRow>(listingOf(db, kind, query, ids))
  }

  #searchState(id: string) {
    return readSearchState(this.dialect.statements.search, this.#run(), id)
  }

  #index() {
    return indexReader(this.dialect.statements.search, this.#run())
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

  async inboxPlaces(reader: InboxReader, conditions: InboxConditions, page: InboxPage) {
    const select = <Row>(query: Compilable) => this.select<Row>(query)
    return readPlaces(select, this.dialect.statements.inbox, [reader, conditions], page)
  }

  async inboxEntries(person: string, ids: readonly string[]) {
    if (ids.length === 0) return []
    const rows = await this.select<InboxDetailRow>(this.dialect.statements.inbox.details(person, ids))
    return rows.map(rowToInboxEntry)
  }

  async matchingPending(words: readonly string[], { before, size }: { before: string; size: number }) {
    const wanted = wantedOfWords(words)
    const state = wanted && (await this.#searchState(before))
    if (!wanted || !state) return this.#scanPending(words, { before, size, to: '' })
    if (state.isBeyond) {
      const { ids, next } = await this.#scanPending(words, { before, size, to: state.end })
      return { ids, next: next ?? state.end }
    }
    const place = { newestFirst: true, after: before, end: state.end, blocks: Math.ceil(size / pendingOfBlock) }
    const candidates = await nextCandidates(this.#index(), wanted, place)
    const rows = await this.#pendingAmong(words, before, candidates, state.event)
    return { ids: [...new Set(rows.map(({ id }) => id))], next: candidates.isLast ? null : candidates.lowest }
  }

  async #pendingAmong(words: readonly string[], before: string, candidates: Candidates, event: number) {
    const { inbox, search } = this.dialect.statements
    if (candidates.areMost) {
      return this.select<{ id: string }>(inbox.matching(words, before, { next: null, to: candidates.lowest }))
    }
    const { ranges, lowest, beyond } = candidates
    const [found, changed] = await Promise.all([
      this.select<{ id: string }>(inbox.matchingWithin(words, ranges)),
      this.query(search.changedWithin, { lowest, beyond, event }),
    ])
    if (changed.length === 0) return found
    const ids = changed.map(({ id }) => id)
    return [...found, ...(await this.select<{ id: string }>(inbox.matchingOf(words, ids)))]
  }

  async #scanPending(words: readonly string[], { before, size, to }: { before: string; size: number; to: string }) {
    const { nextSlice, matching } = this.dialect.statements.inbox
    const [end] = await this.select<{ id: string }>(nextSlice(before, size, to))
    const rows = await this.select<{ id: string }>(matching(words, before, { next: end?.id ?? null, to }))
    return { ids: rows.map(({ id }) => id), next: end ? beyond(end.id) : null }
  }

  async openOfRun(run: string) {
    return (await this.query(this.dialect.statements.openOfRun, { run })).map(rowToRequest)
  }

  async openOfRuns(runs: readonly string[]) {
    const rows = await this.query(this.dialect.statements.openOfRuns, { runs: JSON.stringify(runs) })
    return Map.groupBy(rows.map(rowToRequest), ({ run }) => run ?? '')
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
    const { runs, newestRuns, runsOfToken, activeRuns, awakeRuns, readyRuns } = this.dialect.statements
    if (which === 'all' && host === null && !local) {
      const query = token === null ? this.query(newestRuns, { limit }) : this.query(runsOfToken, { token, limit })
      return (await query).map(rowToRun)
    }
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
    return (await this.connection.batched(this.dialect.statements.answerRulesFor, { binding })).map(rowToAnswerRule)
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

  async nextMessage(target: string) {
    const [row] = await this.query(this.dialect.statements.nextMessage, { target })
    return row?.due ?? null
  }

  async toldMessages(subject: string) {
    return (await this.query(this.dialect.statements.toldMessages, { subject })).map(rowToMessage)
  }

  async waitingMessages(now: number) {
    const [row] = await this.query(this.dialect.statements.waitingMessages, { now })
    return Number(row?.count ?? 0)
  }

  async countMessages(since: number) {
    const rows = await this.query(this.dialect.statements.countMessages, { since })
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  }

  async callback(request: string, mark: string) {
    const [row] = await this.query(this.dialect.statements.callback, { request, mark })
    return row ? rowToCallback(row) : null
  }

  async callbackMarks(request: string) {
    return (await this.query(this.dialect.statements.callbacksOf, { request })).map(({ mark }) => mark)
  }

  async dueCallbacks(limit: number) {
    const rows = await this.query(this.dialect.statements.dueCallbacks, { limit })
    return rows.map(row => ({ ...rowToCallback(row), settledAt: Number(row.settled_at) }))
  }

  async dueCallbacksOf(request: string) {
    const rows = await this.query(this.dialect.statements.dueCallbacksOf, { request })
    return rows.map(row => ({ ...rowToCallback(row), settledAt: Number(row.settled_at) }))
  }

  async waitingCallbackHosts() {
    return (await this.query(this.dialect.statements.waitingCallbackHosts, {})).map(({ target }) => target)
  }

  async unannounced(query: Unannounced) {
    return (await this.query(this.dialect.statements.unannounced, query)).map(rowToRequest)
  }

  async inboxAddress() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'inbox_address' })
    return row?.value ?? null
  }

  async outboxCursor() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'outbox_cursor' })
    return row ? Number(row.value) : null
  }

  async pairings() {
    return (await this.query(this.dialect.statements.pairings, {})).map(rowToPairing)
  }

  async pairing(id: string) {
    const [row] = isId(id) ? await this.query(this.dialect.statements.pairing, { id }) : []
    return row ? rowToPairing(row) : null
  }

  async pairingFor(bot: string, account: string) {
    const [row] = await this.query(this.dialect.statements.pairingFor, { bot, account })
    return row ? rowToPairing(row) : null
  }

  async pairingCode(hash: string) {
    const [row] = await this.query(this.dialect.statements.pairingCode, { hash })
    return row ? rowToPairingCode(row) : null
  }

  async press(id: string) {
    const [row] = await this.query(this.dialect.statements.press, { id })
    return row ? rowToPress(row) : null
  }

  async duePresses(now: number, limit: number) {
    return (await this.query(this.dialect.statements.duePresses, { now, limit })).map(rowToPress)
  }

  async listener(bot: string) {
    return (await this.query(this.dialect.statements.listener, { bot }))[0] ?? null
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

  async waitingByKind() {
    const rows = await this.query(this.dialect.statements.waitingByKind, {})
    return rows.map(row => ({ ...row, count: Number(row.count), oldest: Number(row.oldest) }))
  }

  async undelivered(limit: number) {
    const rows = await this.query(this.dialect.statements.undelivered, { limit })
    return rows.map(row => ({ ...row, count: Number(row.count), oldest: Number(row.oldest) }))
  }

  async waitingMessagesByKind() {
    return (await this.query(this.dialect.statements.waitingMessagesByKind, {})).map(withNumber)
  }

  async activeRunsByStatus() {
    return (await this.query(this.dialect.statements.activeRunsByStatus, {})).map(withNumber)
  }

  async eventGroups(range: EventRange) {
    const rows = await this.select<EventGroupRow>(this.dialect.statements.eventGroups(range))
    return rows.map(row => ({ ...row, count: Number(row.count), time: Number(row.time) }))
  }

  async counts() {
    const rows = await this.query(this.dialect.statements.counts, {})
    return new Map(rows.map(({ name, value }) => [name, Number(value)]))
  }

  async countsCursor() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'counts_cursor' })
    return row ? Number(row.value) : null
  }

  async probedAt() {
    const [row] = await this.query(this.dialect.statements.meta, { name: 'probed_at' })
    return row ? Number(row.value) : null
  }

  async searchProgress() {
    const rows = await this.query(this.dialect.statements.search.searchState, { id: '' })
    const [end, event] = ['search_end', 'search_event'].map(key => rows.find(({ name }) => name === key)?.value)
    return end === undefined || event === undefined ? null : { end, event: Number(event) }
  }

  async hasRequests(from: string, count: number) {
    return (await this.query(this.dialect.statements.search.nthRequest, { from, offset: count - 1 })).length > 0
  }

  searchedTexts(page: { from: string; after: string; limit: number }) {
    return this.query(this.dialect.statements.search.searchedFrom, page)
  }

  async nthChange(after: number, count: number) {
    const [event] = await this.query(this.dialect.statements.search.nthChange, { after, offset: count - 1 })
    return event?.id ?? null
  }

  changedTexts(range: { after: number; to: number; end: string }) {
    return this.query(this.dialect.statements.search.changedBetween, range)
  }

  protected select<Row>(query: Compilable): Promise<Row[]> {
    const { sql, parameters } = query.compile()
    return this.connection.rows<Row>(sql, parameters)
  }

  protected query<Values, Row>(statement: Prepared<Values, Row>, values: Values): Promise<Row[]> {
    return this.connection.rows<Row>(statement.sql, statement.bind(values))
  }

  /** The same as a value. */
  #run(): Run {
    return (statement, values) => this.query(statement, values)
  }
}

function withNumber<Row extends { count: number }>(row: Row): Row {
  return { ...row, count: Number(row.count) }
}

const nothing: Scan = { records: [], bytes: 0, scannedTo: null }

function scanOf(rows: readonly RequestRow[], scannedTo: string | null): Scan {
  const bytes = rows.reduce((sum, { body, context, outcome }) => sum + lengthOf(body, context, outcome), 0)
  return { records: rows.map(rowToRequest), bytes, scannedTo }
}

/** There is a match in most of the blocks that the index names. */
function blocksFor({ limit }: RequestQuery): number {
  return Math.max(leastBlocks, limit)
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
