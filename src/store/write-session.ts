import type { Attachment, Outcome } from '../protocol/index.ts'
import type { ChangeContext, OpenTransaction, SettlementAtCommit, SharedWork } from './connection.ts'
import type { Dialect } from './dialect.ts'
import {
  accessLock,
  chatLock,
  countsLock,
  keptLock,
  keyLock,
  LockNeeded,
  outboxLock,
  probeLock,
  requestLock,
  rulesLock,
  runLock,
  searchLock,
} from './locks.ts'
import type { Prepared } from './prepare.ts'
import { firstRequest, isId, ReadSession } from './read-session.ts'
import type {
  AnswerRuleRecord,
  AttachmentRecord,
  CallbackRecord,
  CheckpointRecord,
  DraftRecord,
  KeptRecord,
  ListenerRecord,
  LogEndRecord,
  LogPieceRecord,
  MessageRecord,
  NewEvent,
  PairingCodeRecord,
  PairingRecord,
  PressRecord,
  PushKeysRecord,
  RequestRecord,
  RuleRecord,
  RunRecord,
  SealedRecord,
  StoredMessage,
  TargetRecord,
  TokenRecord,
} from './records.ts'
import {
  answerRuleToRow,
  callbackToRow,
  checkpointToRow,
  draftToRow,
  keptToRow,
  logPieceToRow,
  messageToRow,
  pairingCodeToRow,
  pairingToRow,
  pressToRow,
  pushKeysToRow,
  requestToRow,
  rowToAnswerRule,
  rowToCheckpoint,
  rowToMessage,
  rowToPairingCode,
  rowToPress,
  rowToRequest,
  rowToRule,
  rowToToken,
  ruleToRow,
  runToRow,
  targetToRow,
  tokenToRow,
} from './rows.ts'
import { type Bucket, merged } from './search/grams.ts'
import type { Range } from './statements/garbage.ts'
import type { SearchProgress, Transaction } from './store.ts'

/** The writing verbs. Each change has its own session, so that a batch knows which of its members wrote. */
export class WriteSession extends ReadSession implements Transaction {
  readonly #transaction: OpenTransaction
  readonly #shared: SharedWork
  /** Statements that were sent; their results are awaited with the commit. */
  readonly sent: Promise<unknown>[] = []
  wrote = false
  readonly #locks: ReadonlySet<string>
  /** Requests that nobody else can see before the commit. */
  readonly #inserted = new Set<string>()
  readonly alreadyCommitted: boolean

  /** All changes of a transaction share `shared`: events are numbered in the order in which they happened. */
  constructor(dialect: Dialect, transaction: OpenTransaction, shared: SharedWork, context: ChangeContext) {
    super(dialect, transaction, transaction.now)
    this.#transaction = transaction
    this.#shared = shared
    this.#locks = context.locks
    this.alreadyCommitted = context.alreadyCommitted
  }

  lock(...names: string[]) {
    const missing = names.filter(name => !this.#locks.has(name))
    if (missing.length > 0) throw new LockNeeded(missing)
  }

  async insertRequest(request: RequestRecord) {
    this.#inserted.add(request.id)
    this.wrote = true
    this.#send(this.#transaction.send(this.dialect.statements.insertRequest, requestToRow(request)))
  }

  async insertAttachment({ id, request, bytes }: AttachmentRecord) {
    this.#lockRequest(request)
    this.send(this.dialect.statements.insertAttachment, { id, request, bytes: Buffer.from(bytes) })
  }

  async listAttachments(request: string, attachments: readonly Attachment[]) {
    this.#lockRequest(request)
    const values = { request, attachments: JSON.stringify(attachments) }
    return firstRequest(await this.write(this.dialect.statements.listAttachments, values))
  }

  async settle(id: string, outcome: Outcome, at: number, { onlyIfDue = false } = {}) {
    this.#lockRequest(id)
    const { settle, settleDue } = this.dialect.statements
    const values = { id, at, status: outcome.status, outcome: JSON.stringify(outcome) }
    return firstRequest(await this.write(onlyIfDue ? settleDue : settle, values))
  }

  settleAtCommit(id: string, outcome: Outcome, at: number, event: NewEvent) {
    this.#lockRequest(id)
    this.wrote = true
    const { settlements } = this.#shared
    if (settlements.has(id)) return () => null
    const mine: SettlementAtCommit = { status: outcome.status, outcome: JSON.stringify(outcome), at, event, row: null }
    settlements.set(id, mine)
    return () => (mine.row ? rowToRequest(mine.row) : null)
  }

  async remind(id: string, seen: number, next: number | null) {
    this.#lockRequest(id)
    return (await this.write(this.dialect.statements.remind, { id, seen, next })).length > 0
  }

  async reschedule(id: string, deadline: { timeout: number; due: number } | null) {
    this.#lockRequest(id)
    const values = { id, timeout: deadline?.timeout ?? null, due: deadline?.due ?? null }
    return firstRequest(await this.write(this.dialect.statements.reschedule, values))
  }

  async saveMessages(id: string, messages: readonly StoredMessage[]) {
    this.#lockRequest(id)
    const values = { id, messages: JSON.stringify(messages) }
    return firstRequest(await this.write(this.dialect.statements.saveMessages, values))
  }

  async deliver(id: string) {
    this.#lockRequest(id)
    this.wrote = true
    const row = await this.connection.byId(this.dialect.statements.deliver, id)
    return row ? rowToRequest(row) : null
  }

  async redeliver(id: string) {
    this.#lockRequest(id)
    await this.write(this.dialect.statements.redeliver, { id })
  }

  async use(id: string, at: number, nonce: string | null) {
    this.#lockRequest(id)
    return firstRequest(await this.write(this.dialect.statements.use, { id, at, nonce }))
  }

  async saveDraft(draft: DraftRecord) {
    return (await this.write(this.dialect.statements.saveDraft, draftToRow(draft))).length > 0
  }

  async deleteDraft(request: string, by: string) {
    await this.write(this.dialect.statements.deleteDraft, { request, by })
  }

  async discardDraft(request: string, by: string) {
    return (await this.write(this.dialect.statements.discardDraft, { request, by })).length > 0
  }

  async snooze(request: string, person: string, until: number | null) {
    const { saveSnooze, deleteSnooze } = this.dialect.statements
    if (until === null) await this.write(deleteSnooze, { request, person })
    else await this.write(saveSnooze, { request, person, until })
  }

  append(event: NewEvent) {
    this.wrote = true
    this.#shared.events.push(event)
  }

  async insertRun(run: RunRecord) {
    await this.write(this.dialect.statements.insertRun, runToRow(run))
  }

  async replaceRun(run: RunRecord, seen: RunRecord['status']) {
    this.lock(runLock(run.id))
    return (await this.write(this.dialect.statements.replaceRun, { ...runToRow(run), seen })).length > 0
  }

  async holdRun(id: string) {
    this.lock(runLock(id))
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
    this.#lockRequest(sealed.request)
    await this.write(this.dialect.statements.seal, sealed)
  }

  async unseal(request: string) {
    this.#lockRequest(request)
    await this.write(this.dialect.statements.unseal, { request })
  }

  async unsealUsed(before: number) {
    await this.write(this.dialect.statements.unsealUsed, { before })
  }

  async unsealRun(run: string) {
    this.lock(runLock(run))
    await this.write(this.dialect.statements.unsealRun, { run })
  }

  async insertKept(kept: KeptRecord) {
    this.lock(keptLock)
    await this.write(this.dialect.statements.insertKept, keptToRow(kept))
  }

  async takeKept(id: string, at: number) {
    this.lock(keptLock)
    return (await this.write(this.dialect.statements.takeKept, { id, at })).length > 0
  }

  async deleteKept(id: string) {
    this.lock(keptLock)
    return (await this.write(this.dialect.statements.deleteKept, { id })).length > 0
  }

  async unsealKept(id: string) {
    this.lock(keptLock)
    await this.write(this.dialect.statements.unsealKept, { id })
  }

  async insertRule(rule: RuleRecord) {
    await this.write(this.dialect.statements.insertRule, ruleToRow(rule))
  }

  async removeRule(id: string, by: string, at: number) {
    this.lock(rulesLock)
    if (!isId(id)) return null
    const [row] = await this.write(this.dialect.statements.removeRule, { id, by, at })
    return row ? rowToRule(row) : null
  }

  async insertAnswerRule(rule: AnswerRuleRecord) {
    this.lock(rulesLock)
    await this.write(this.dialect.statements.insertAnswerRule, answerRuleToRow(rule))
  }

  async removeAnswerRule(id: string, by: string, at: number) {
    this.lock(rulesLock)
    if (!isId(id)) return null
    const [row] = await this.write(this.dialect.statements.removeAnswerRule, { id, by, at })
    return row ? rowToAnswerRule(row) : null
  }

  async setFingerprint(value: string) {
    this.lock(keyLock)
    await this.write(this.dialect.statements.setMeta, { name: 'key_fingerprint', value })
  }

  async insertToken(token: TokenRecord) {
    await this.write(this.dialect.statements.insertToken, tokenToRow(token))
  }

  async revokeToken(id: string, at: number) {
    this.lock(accessLock)
    if (!isId(id)) return []
    return (await this.write(this.dialect.statements.revokeToken, { id, at })).map(rowToToken)
  }

  async spendLink(hash: string, at: number) {
    this.lock(accessLock)
    const [row] = await this.write(this.dialect.statements.spendLink, { hash, at })
    return row ? rowToToken(row) : null
  }

  async touchToken(id: string, at: number) {
    this.lock(accessLock)
    await this.write(this.dialect.statements.touchToken, { id, at })
  }

  async insertTarget(target: TargetRecord) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.insertTarget, targetToRow(target))
  }

  async saveTargetWants(id: string, wants: TargetRecord['wants']) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.saveTargetWants, { id, wants: JSON.stringify(wants) })
  }

  async deleteTarget(id: string) {
    const { deleteTarget, deleteMessages, deletePairings, deletePairingCodes } = this.dialect.statements
    // Nobody writes messages to the target or pairs with it meanwhile.
    this.lock(outboxLock, chatLock)
    const deleted = await this.write(deleteTarget, { id })
    for (const statement of [deleteMessages, deletePairings, deletePairingCodes])
      await this.write(statement, { target: id })
    return deleted.length > 0
  }

  async insertPushKeys(keys: PushKeysRecord) {
    await this.write(this.dialect.statements.insertPushKeys, pushKeysToRow(keys))
  }

  async insertMessage(message: MessageRecord) {
    this.lock(outboxLock)
    return (await this.write(this.dialect.statements.insertMessage, messageToRow(message))).length > 0
  }

  async leaseMessage(id: string, seen: number, until: number) {
    this.lock(outboxLock)
    const [row] = await this.write(this.dialect.statements.leaseMessage, { id, seen, until })
    return row ? rowToMessage(row) : null
  }

  async finishMessage({ id, state, due, doneAt, error, handle }: MessageRecord, lease: number) {
    this.lock(outboxLock)
    const values = { id, lease, state, due, at: doneAt, error, handle }
    return (await this.write(this.dialect.statements.finishMessage, values)).length > 0
  }

  async cancelMessages(subject: string, at: number) {
    this.lock(outboxLock)
    return (await this.write(this.dialect.statements.cancelMessages, { subject, at })).length
  }

  async postponeMessage(id: string, seen: number, due: number) {
    this.lock(outboxLock)
    return (await this.write(this.dialect.statements.postponeMessage, { id, seen, due })).length > 0
  }

  async hastenSettled(subject: string, target: string, due: number) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.hastenSettled, { subject, target, due })
  }

  async setInboxAddress(url: string) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.setMeta, { name: 'inbox_address', value: url })
  }

  async insertPairing(pairing: PairingRecord) {
    this.lock(chatLock)
    const { deleteAccount, insertPairing } = this.dialect.statements
    await this.write(deleteAccount, { target: pairing.target, account: pairing.account })
    await this.write(insertPairing, pairingToRow(pairing))
  }

  async deletePairing(id: string) {
    this.lock(chatLock)
    return (await this.write(this.dialect.statements.deletePairing, { id })).length > 0
  }

  async insertPairingCode(code: PairingCodeRecord) {
    this.lock(chatLock)
    await this.write(this.dialect.statements.insertPairingCode, pairingCodeToRow(code))
  }

  async usePairingCode(hash: string, pairing: string, now: number) {
    this.lock(chatLock)
    const [row] = await this.write(this.dialect.statements.usePairingCode, { hash, pairing, now })
    return row ? rowToPairingCode(row) : null
  }

  async insertPress(press: PressRecord) {
    this.lock(chatLock)
    return (await this.write(this.dialect.statements.insertPress, pressToRow(press))).length > 0
  }

  async leasePress(id: string, seen: number, until: number) {
    this.lock(chatLock)
    const [row] = await this.write(this.dialect.statements.leasePress, { id, seen, until })
    return row ? rowToPress(row) : null
  }

  async finishPress(id: string, lease: number, at: number, result: string) {
    this.lock(chatLock)
    return (await this.write(this.dialect.statements.finishPress, { id, lease, at, result })).length > 0
  }

  async saveListener(listener: ListenerRecord) {
    this.lock(chatLock)
    await this.write(this.dialect.statements.saveListener, listener)
  }

  async deleteListener(bot: string, holder: string) {
    this.lock(chatLock)
    await this.write(this.dialect.statements.deleteListener, { bot, holder })
  }

  async setOutboxCursor(event: number) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.setMeta, { name: 'outbox_cursor', value: String(event) })
  }

  async insertCallback(callback: CallbackRecord) {
    this.#lockRequest(callback.request)
    await this.write(this.dialect.statements.insertCallback, callbackToRow(callback))
  }

  async queueCallback(request: string, mark: string) {
    this.lock(outboxLock)
    await this.write(this.dialect.statements.queueCallback, { request, mark })
  }

  async setNextGarbageCollection(at: number) {
    await this.write(this.dialect.statements.setMeta, { name: 'next_gc', value: String(at) })
  }

  async deleteOldRequests(range: Range<string>) {
    const { deleteOldRequests, deleteSealedWithout, deleteMessagesWithout } = this.dialect.statements
    const deleted = await this.write(deleteOldRequests, range)
    for (const statement of [deleteSealedWithout, deleteMessagesWithout]) await this.write(statement, range)
    return deleted.map(({ id }) => id)
  }

  async deleteOldLogs(range: Range<string>, limit: number) {
    return (await this.write(this.dialect.statements.deleteOldLogs, { ...range, limit })).length
  }

  async deleteOldCheckpoints(range: Range<string>, limit: number) {
    return (await this.write(this.dialect.statements.deleteOldCheckpoints, { ...range, limit })).map(rowToCheckpoint)
  }

  async deleteOldRuns(range: Range<string>) {
    const { deleteOldRuns, deleteMessagesWithout } = this.dialect.statements
    const deleted = await this.write(deleteOldRuns, range)
    await this.write(deleteMessagesWithout, range)
    return deleted.map(({ id }) => id)
  }

  async deleteOldEvents(range: Range<number>) {
    const deleted = await this.write(this.dialect.statements.deleteOldEvents, range)
    // Deleting takes a lock that only one process holds, so nobody moves this mark meanwhile.
    const last = deleted.reduce((highest, { id }) => Math.max(highest, id), await this.deletedEvents())
    await this.write(this.dialect.statements.setMeta, { name: 'deleted_events', value: String(last) })
    return deleted.length
  }

  async deleteLostAttachments(limit: number) {
    return (await this.write(this.dialect.statements.deleteLostAttachments, { limit })).length
  }

  async deleteLeftovers(before: number, limit: number) {
    const { deleteStaleDrafts, deleteStaleSnoozes, deleteOldTokens, deleteKeptWithoutToken } = this.dialect.statements
    const { deleteOldPresses, deleteOldPairingCodes, deleteLostCallbacks } = this.dialect.statements
    const drafts = await this.write(deleteStaleDrafts, { limit })
    const snoozes = await this.write(deleteStaleSnoozes, { before, limit })
    const tokens = await this.write(deleteOldTokens, { before, limit })
    const kept = await this.write(deleteKeptWithoutToken, { limit })
    const presses = await this.write(deleteOldPresses, { before, limit })
    const codes = await this.write(deleteOldPairingCodes, { before, limit })
    const callbacks = await this.write(deleteLostCallbacks, { limit })
    return [drafts, snoozes, tokens, kept, presses, codes, callbacks].reduce((sum, rows) => sum + rows.length, 0)
  }

  async addCount(name: string, by: number) {
    this.lock(countsLock)
    this.send(this.dialect.statements.addCount, { name, by })
  }

  async setCountsCursor(event: number) {
    this.lock(countsLock)
    await this.write(this.dialect.statements.setMeta, { name: 'counts_cursor', value: String(event) })
  }

  async takeSearchLease(holder: string, until: number) {
    this.lock(searchLock)
    const [lease] = await this.query(this.dialect.statements.meta, { name: 'search_lease' })
    const [other, otherUntil] = lease?.value.split(' ') ?? []
    if (other !== undefined && other !== holder) {
      if (Number(otherUntil) > (await this.now())) return false
    }
    if (other !== holder) await this.write(this.dialect.statements.search.abandonSegments, {})
    await this.write(this.dialect.statements.setMeta, { name: 'search_lease', value: `${holder} ${until}` })
    return true
  }

  async renewSearchLease(holder: string, until: number) {
    this.lock(searchLock)
    const values = { held: `${holder} %`, renewed: `${holder} ${until}` }
    return (await this.write(this.dialect.statements.search.renewLease, values)).length > 0
  }

  async setSearchProgress({ end, event }: SearchProgress) {
    this.lock(searchLock)
    await this.write(this.dialect.statements.setMeta, { name: 'search_end', value: end })
    await this.write(this.dialect.statements.setMeta, { name: 'search_event', value: String(event) })
  }

  async beginSegment(first: string) {
    this.lock(searchLock)
    const [row] = await this.write(this.dialect.statements.search.insertSegment, { first })
    return (row as { segment: number }).segment
  }

  async publishSegment(segment: number, starts: readonly string[]) {
    this.lock(searchLock)
    await this.write(this.dialect.statements.search.publishSegment, { segment, starts: JSON.stringify(starts) })
  }

  async addGrams(segment: number, buckets: readonly Bucket[], { areFirst }: { areFirst: boolean }) {
    this.lock(searchLock)
    const changed = areFirst ? buckets : await this.#mergedWithStored(segment, buckets)
    if (changed.length === 0) return
    const rows = changed.map(({ bucket, slots, masks }) => [bucket, slots, masks.toString('hex')])
    await this.write(this.dialect.statements.search.saveBuckets, { segment, buckets: JSON.stringify(rows) })
  }

  /** Only those that are not stored as they are. */
  async #mergedWithStored(segment: number, buckets: readonly Bucket[]): Promise<Bucket[]> {
    const numbers = JSON.stringify(buckets.map(({ bucket }) => bucket))
    const stored = await this.query(this.dialect.statements.search.buckets, { segment, buckets: numbers })
    const byNumber = new Map(stored.map(row => [row.bucket, row]))
    return buckets.flatMap(bucket => {
      const known = byNumber.get(bucket.bucket)
      return known ? (merged(known, bucket) ?? []) : bucket
    })
  }

  async deleteEmptySegment(until: string) {
    this.lock(searchLock)
    const { emptySegment, deleteSegment, anySegment } = this.dialect.statements.search
    const [empty] = await this.query(emptySegment, { until })
    if (!empty) return false
    await this.write(deleteSegment, empty)
    if ((await this.query(anySegment, {})).length === 0) {
      await this.write(this.dialect.statements.setMeta, { name: 'search_end', value: '' })
    }
    return true
  }

  async deleteGrams(limit: number) {
    this.lock(searchLock)
    const { deletedSegment, deleteBuckets, forgetSegment } = this.dialect.statements.search
    const [deleted] = await this.query(deletedSegment, {})
    if (!deleted) return 0
    const rows = await this.write(deleteBuckets, { ...deleted, limit })
    if (rows.length < limit) await this.write(forgetSegment, deleted)
    return Math.max(1, rows.length)
  }

  async setProbedAt(at: number) {
    this.lock(probeLock)
    await this.write(this.dialect.statements.setMeta, { name: 'probed_at', value: String(at) })
  }

  #lockRequest(id: string): void {
    if (!this.#inserted.has(id)) this.lock(requestLock(id))
  }

  /** Sends a statement without a result; the next one need not wait for it. */
  private send<Values>(statement: Prepared<Values, unknown>, values: Values): void {
    this.#send(this.write(statement, values))
  }

  #send(sent: Promise<unknown>): void {
    sent.catch(() => {})
    this.sent.push(sent)
  }

  private write<Values, Row>(statement: Prepared<Values, Row>, values: Values): Promise<Row[]> {
    this.wrote = true
    return this.query(statement, values)
  }
}
