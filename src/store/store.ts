import type { Attachment, IdNoun, Kind, Outcome, Status } from '../protocol/index.ts'
import type {
  AnswerRuleRecord,
  AttachmentRecord,
  CallbackRecord,
  CheckpointRecord,
  DraftRecord,
  EventRecord,
  InboxEntry,
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
import type { Bucket } from './search/grams.ts'
import type { Range, Window, WindowRow } from './statements/garbage.ts'
import type { InboxConditions, InboxCountRow, InboxPlaceRow, InboxPosition, InboxReader } from './statements/inbox.ts'
import type { KeptQuery } from './statements/kept.ts'
import type { Unannounced } from './statements/outbox.ts'
import type { ChangedRow, SearchedRow } from './statements/search.ts'
import type { EventGroupRow, EventRange, UndeliveredRow, WaitingRow } from './statements/statistics.ts'

/**
 * What the hub needs of a database. Both implementations, SQLite and PostgreSQL, pass one contract suite.
 *
 * `change` runs work in a durable transaction and returns after COMMIT, never before. Concurrent changes share one
 * transaction. When the batch fails, each of them runs again alone, so work must do nothing that its transaction does
 * not undo. `locks` name what two changes must not do at the same time. Work that turns out to need another lock runs
 * again with it, so naming all of them at once is quicker.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  change<T>(work: (tx: Transaction) => Promise<T | AfterCommit<T>>, locks?: string | readonly string[]): Promise<T>
  read<T>(work: (view: View) => Promise<T>): Promise<T>
  /**
   * Calls back after every commit with events, of any process: at once as a rule, within a few seconds at worst. It may
   * call back without a reason. It passes the events where it knows exactly which were committed.
   */
  watch(onCommit: (events?: readonly EventRecord[]) => void): Promise<Watch>
  /** Writes a consistent copy of the whole store. */
  backup(file: string): Promise<void>
  /** Gives the space of deleted rows back. Writers wait for a moment at a time, unless it rewrites the whole file. */
  reclaim(options?: ReclaimOptions): Promise<Reclaimed>
  /** Writes a row that reaches the disk, and reads it again; throws where either fails. Leaves no trace that grows. */
  probe(): Promise<void>
  /** Checks the health of the database. */
  examine(): Promise<Finding[]>
  /** Aborts when the database is gone for good, with the error as its reason; only opening it again helps. */
  readonly lost: AbortSignal
  /** For a process that is about to end: calls fail while the database is away, instead of waiting for it. */
  stopReconnecting(): void
  close(): Promise<void>
}

/** A result of a change that is only known after the commit. */
export class AfterCommit<T> {
  readonly read: () => Promise<T>
  constructor(read: () => Promise<T>) {
    this.read = read
  }
}

export interface Watch {
  stop(): void
  /** Whether watching keeps the process alive; by default it does. */
  keepProcessAlive(alive: boolean): void
}

export interface ReclaimOptions {
  signal?: AbortSignal
  /** Rewrites a SQLite file that cannot shrink otherwise, whatever its size. */
  rewrite?: boolean
}

/** In bytes. */
export interface Reclaimed {
  /** Given back to the disk. */
  freed: number
  /** Still in the file, for what is stored next. Null where the database does not say. */
  reusable: number | null
}

export interface Finding {
  what: string
  finding: string
  fine: boolean
  /** Nothing is broken, but people should know. */
  warns?: boolean
}

export interface RequestQuery {
  status: Status | null
  run: string | null
  kind: Kind | null
  /** The key space that it was asked in. */
  scope: string | null
  /** A text that it contains, in upper or lower case. */
  search: string | null
  session?: string | null
  newestFirst: boolean
  after: string | null
  limit: number
}

export interface RunQuery {
  which: 'all' | 'active' | 'awake' | 'ready'
  host: string | null
  /** Only runs that were started without a token. */
  local: boolean
  /** Only runs that were started with this token. */
  token: string | null
  limit: number
}

/** Some rows of a listing. Rows that no index finds are scanned, a limited number at a time. */
export interface Scan {
  records: RequestRecord[]
  /** Approximate size of their texts. */
  bytes: number
  /** Where a limited scan ended, to go on from there; null where nothing is left to scan. */
  scannedTo: string | null
}

interface MatchingIds {
  ids: string[]
  /** The next slice is below this; null where nothing is left. */
  next: string | null
}

/** Beyond all ids in the index, and the event that it was brought up to date with. */
export interface SearchProgress {
  end: string
  event: number
}

export interface View {
  now(): Promise<number>
  request(id: string): Promise<RequestRecord | null>
  /** Whether it is still open; null where there is no such request. */
  isOpen(id: string): Promise<boolean | null>
  /** The ids of requests, runs or checkpoints that end so, newest first. */
  idsEndingWith(noun: IdNoun, end: string, limit: number): Promise<string[]>
  requestByKey(scope: string, key: string): Promise<RequestRecord | null>
  /** The oldest ask of this content that this start of the run has not taken yet. */
  nextOfContentInRun(content: string, start: number): Promise<RequestRecord | null>
  /** The oldest ask of this content by this agent that is open, or was settled since then and not taken. */
  untakenOfContent(content: string, agent: string, since?: number): Promise<RequestRecord | null>
  /** The newest answered requests with this question, but not this one. */
  answeredBefore(sameQuestion: string, but: string, limit: number): Promise<RequestRecord[]>
  /** What people have entered so far: the reader's own first, then the newest; none once the request is settled. */
  drafts(request: string, reader: string): Promise<DraftRecord[]>
  /** The bytes of a file that came with the request. */
  attachment(request: string, id: string): Promise<Uint8Array | null>
  requests(query: RequestQuery): Promise<Scan>
  /** The newest pending request. */
  newestPending(): Promise<string | null>
  /** How many pending requests a person has: of everything, of the largest projects, and of the largest agents. */
  inboxCounts(reader: InboxReader): Promise<InboxCountRow[]>
  /** How many requests meet the conditions. */
  inboxFound(reader: InboxReader, conditions: InboxConditions): Promise<number>
  /** The places of a page: the most urgent first, then the newest, alike ones folded. */
  inboxPlaces(
    reader: InboxReader,
    conditions: InboxConditions,
    page: { after: InboxPosition | null; limit: number },
  ): Promise<InboxPlaceRow[]>
  /** What a list shows of these requests, as far as they are still pending, in no order. */
  inboxEntries(person: string, ids: readonly string[]): Promise<InboxEntry[]>
  /** Looks for all words in about the next `size` pending requests with lower ids than `before`, newest first. */
  matchingPending(words: readonly string[], slice: { before: string; size: number }): Promise<MatchingIds>
  openOfRun(run: string): Promise<RequestRecord[]>
  /** By run; a run without open requests is missing. */
  openOfRuns(runs: readonly string[]): Promise<Map<string, RequestRecord[]>>
  /** Pending requests whose deadline or reminder is due, most overdue first. */
  due(now: number, limit: number): Promise<RequestRecord[]>
  /** When the next request is due. */
  nextDue(): Promise<number | null>
  events(after: number, limit: number): Promise<EventRecord[]>
  lastEvent(): Promise<number>
  /** The highest number of an event that was deleted: a reader with an older cursor has missed something. */
  deletedEvents(): Promise<number>
  run(id: string): Promise<RunRecord | null>
  /** Newest first. `active` runs have not ended, `awake` ones do not sleep either; `ready` ones sleep without an open request. */
  runs(query: RunQuery): Promise<RunRecord[]>
  /** Null where the store has no log of the run. */
  logEnd(run: string): Promise<LogEndRecord | null>
  /** The offset of the oldest byte that is kept. */
  logStart(run: string): Promise<number>
  /** The pieces that go beyond this position, oldest first. */
  logPieces(run: string, position: { offset: number; notes: number }, limit: number): Promise<LogPieceRecord[]>
  checkpoint(id: string): Promise<CheckpointRecord | null>
  /** Newest first. */
  checkpoints(run: string, limit: number): Promise<CheckpointRecord[]>
  sealed(request: string): Promise<SealedRecord | null>
  rule(id: string): Promise<RuleRecord | null>
  /** Oldest first. */
  rules(): Promise<RuleRecord[]>
  answerRule(id: string): Promise<AnswerRuleRecord | null>
  /** Oldest first. */
  answerRules(): Promise<AnswerRuleRecord[]>
  /** Those that were not removed, newest first. */
  answerRulesFor(binding: string): Promise<AnswerRuleRecord[]>
  /** The fingerprint of the key that the store is bound to; null when nothing is sealed. */
  fingerprint(): Promise<string | null>
  /** All kept values, by name. */
  kept(): Promise<KeptRecord[]>
  keptByName(name: string): Promise<KeptRecord | null>
  /** The value for such an ask; one for that directory comes before one for everywhere. */
  keptFor(query: KeptQuery): Promise<KeptRecord | null>
  token(id: string): Promise<TokenRecord | null>
  tokenByHash(hash: string): Promise<TokenRecord | null>
  /** Without sessions and links, newest first. */
  tokens(limit: number): Promise<TokenRecord[]>
  /** Browsers that are signed in now, newest first: those of one user, or all. */
  sessions(name: string | null, limit: number): Promise<TokenRecord[]>
  /** The ids of tokens that were revoked, signed out or spent since then. */
  revokedSince(since: number): Promise<string[]>
  /** By name. */
  targets(): Promise<TargetRecord[]>
  target(id: string): Promise<TargetRecord | null>
  targetByName(name: string): Promise<TargetRecord | null>
  targetByMark(mark: string): Promise<TargetRecord | null>
  pushKeys(): Promise<PushKeysRecord | null>
  message(id: string): Promise<MessageRecord | null>
  /** Messages to a target that are due, most overdue first. */
  dueMessages(target: string, now: number, limit: number): Promise<MessageRecord[]>
  /** When the next message is due. */
  nextMessage(target: string): Promise<number | null>
  /** The messages about a request that targets have, or may have. */
  toldMessages(subject: string): Promise<MessageRecord[]>
  /** How many messages should be sent by now and are not. */
  waitingMessages(now: number): Promise<number>
  /** How many messages each state has; of finished ones, only those since then. */
  countMessages(since: number): Promise<Partial<Record<MessageRecord['state'], number>>>
  callback(request: string, mark: string): Promise<CallbackRecord | null>
  /** The marks of a request's callbacks. */
  callbackMarks(request: string): Promise<string[]>
  /** Callbacks of settled requests that are not in the outbox yet. */
  dueCallbacks(limit: number): Promise<(CallbackRecord & { settledAt: number })[]>
  /** The same of one request. */
  dueCallbacksOf(request: string): Promise<(CallbackRecord & { settledAt: number })[]>
  /** Targets of callbacks in the outbox: `callback:` and a host. */
  waitingCallbackHosts(): Promise<string[]>
  /** Open requests without a message to the target, oldest first. */
  unannounced(query: Unannounced): Promise<RequestRecord[]>
  /** The last event that messages were written for; null before the first one. */
  outboxCursor(): Promise<number | null>
  /** Where the server that started last says its inbox is. */
  inboxAddress(): Promise<string | null>
  /** Accounts of chats that answer as a person, oldest first. */
  pairings(): Promise<PairingRecord[]>
  pairing(id: string): Promise<PairingRecord | null>
  pairingFor(bot: string, account: string): Promise<PairingRecord | null>
  pairingCode(hash: string): Promise<PairingCodeRecord | null>
  press(id: string): Promise<PressRecord | null>
  /** Presses that nobody has dealt with, most overdue first. */
  duePresses(now: number, limit: number): Promise<PressRecord[]>
  listener(bot: string): Promise<ListenerRecord | null>
  /** When the next automatic deletion is due; null before the first. */
  nextGarbageCollection(): Promise<number | null>
  /** What can be deleted in a window of keys. For collect-garbage.ts, like all `old…` and `deleteOld…` verbs. */
  oldRequests(window: Window<string>): Promise<WindowRow<string>>
  oldRuns(window: Window<string>): Promise<WindowRow<string>>
  oldEvents(window: Window<number>): Promise<WindowRow<number>>
  waitingByKind(): Promise<WaitingRow[]>
  /** Of the oldest decisions that nobody has taken, as many as the limit. */
  undelivered(limit: number): Promise<UndeliveredRow[]>
  /** Messages that wait to be sent, by the kind of their target. */
  waitingMessagesByKind(): Promise<{ kind: string; count: number }[]>
  activeRunsByStatus(): Promise<{ status: string; count: number }[]>
  /** The events of a range that statistics count, in groups. */
  eventGroups(range: EventRange): Promise<EventGroupRow[]>
  counts(): Promise<Map<string, number>>
  /** The last event that was counted; null before the first time. */
  countsCursor(): Promise<number | null>
  /** When the store was last probed. */
  probedAt(): Promise<number | null>
  /** How far the index of searches goes; null before it was begun. For search/build-index.ts, like all that follows. */
  searchProgress(): Promise<SearchProgress | null>
  /** Whether there are at least so many requests from this id on. */
  hasRequests(from: string, count: number): Promise<boolean>
  /** The texts of requests from one id on, and after another one. */
  searchedTexts(page: { from: string; after: string; limit: number }): Promise<SearchedRow[]>
  /** The number of the last of so many events that change what requests are found by; null where there are fewer. */
  nthChange(after: number, count: number): Promise<number | null>
  changedTexts(range: { after: number; to: number; end: string }): Promise<ChangedRow[]>
}

export interface Transaction extends View {
  /** The work runs again because the commit's acknowledgement was lost: the commit took effect. */
  readonly alreadyCommitted: boolean
  /** Nobody else holds these locks until the commit. Best called before anything is written. */
  lock(...names: string[]): void
  insertRequest(request: RequestRecord): Promise<void>
  /** Stores the bytes; the request lists its files itself. */
  insertAttachment(attachment: AttachmentRecord): Promise<void>
  /** Replaces the list of a request's files; null when it is not pending any more. */
  listAttachments(request: string, attachments: readonly Attachment[]): Promise<RequestRecord | null>
  /** Settles a request; null when it is not pending any more or, with `onlyIfDue`, its deadline is not due any more. */
  settle(id: string, outcome: Outcome, at: number, options?: { onlyIfDue?: boolean }): Promise<RequestRecord | null>
  /**
   * The same together with the commit, which saves a round trip. The event is appended if the request is still pending.
   * After the commit, the returned function gives the settled request or null.
   */
  settleAtCommit(id: string, outcome: Outcome, at: number, event: NewEvent): () => RequestRecord | null
  /** Sets the next reminder, if the present one is the one that was seen. */
  remind(id: string, seenDue: number, nextDue: number | null): Promise<boolean>
  reschedule(id: string, deadline: { timeout: number; due: number } | null): Promise<RequestRecord | null>
  /** Replaces the messages on a request; null when it is not pending any more. */
  saveMessages(id: string, messages: readonly StoredMessage[]): Promise<RequestRecord | null>
  /**
   * At the time of the transaction. Null when it was delivered before, or is not settled. In a run, it is delivered to the
   * present start of the run.
   */
  deliver(id: string): Promise<RequestRecord | null>
  /** A later start of the run took it again. */
  redeliver(id: string): Promise<void>
  /** Null when it was used before, or was not answered. */
  use(id: string, at: number, nonce: string | null): Promise<RequestRecord | null>
  /** Replaces the person's earlier draft; false when the request is not open or takes no drafts. Appends no event. */
  saveDraft(draft: DraftRecord): Promise<boolean>
  deleteDraft(request: string, by: string): Promise<void>
  /** Offers it to nobody but its author, until they save it again; false when there is nothing to discard. */
  discardDraft(request: string, by: string): Promise<boolean>
  /** Replaces the person's earlier one; null ends it. Appends no event. */
  snooze(request: string, person: string, until: number | null): Promise<void>
  append(event: NewEvent): void
  insertRun(run: RunRecord): Promise<void>
  /** Replaces a run as long as it still has the status that was seen. */
  replaceRun(run: RunRecord, seen: RunRecord['status']): Promise<boolean>
  /** Locks a run until the commit; false when it has ended for good, or does not exist. */
  holdRun(id: string): Promise<boolean>
  /** Appends no event. */
  insertLogPiece(piece: LogPieceRecord): Promise<void>
  /** Deletes the oldest pieces, but never the last, so that about `maxBytes` remain. */
  trimLog(run: string, end: LogEndRecord, maxBytes: number): Promise<void>
  insertCheckpoint(checkpoint: CheckpointRecord): Promise<void>
  seal(sealed: SealedRecord): Promise<void>
  unseal(request: string): Promise<void>
  /** Deletes the values, outside of runs, that were used before this time. */
  unsealUsed(before: number): Promise<void>
  unsealRun(run: string): Promise<void>
  insertKept(kept: KeptRecord): Promise<void>
  /** Locks the kept value until the commit; false when it was deleted. */
  takeKept(id: string, at: number): Promise<boolean>
  deleteKept(id: string): Promise<boolean>
  /** Deletes every sealed value that came from it and was not used yet. */
  unsealKept(id: string): Promise<void>
  insertRule(rule: RuleRecord): Promise<void>
  /** Null when it was removed before, or does not exist. */
  removeRule(id: string, by: string, at: number): Promise<RuleRecord | null>
  insertAnswerRule(rule: AnswerRuleRecord): Promise<void>
  removeAnswerRule(id: string, by: string, at: number): Promise<AnswerRuleRecord | null>
  setFingerprint(fingerprint: string): Promise<void>
  insertToken(token: TokenRecord): Promise<void>
  /** Revokes a token with everything that ends with it; returns what was not revoked before. */
  revokeToken(id: string, at: number): Promise<TokenRecord[]>
  /** A link works once; null when it was spent, has expired, or does not exist. */
  spendLink(hash: string, at: number): Promise<TokenRecord | null>
  touchToken(id: string, at: number): Promise<void>
  insertTarget(target: TargetRecord): Promise<void>
  saveTargetWants(id: string, wants: TargetRecord['wants']): Promise<void>
  /** Deletes a target with all messages to it and all pairings with it. */
  deleteTarget(id: string): Promise<boolean>
  insertPushKeys(keys: PushKeysRecord): Promise<void>
  /** False when there is a message for this request, target and occasion already. */
  insertMessage(message: MessageRecord): Promise<boolean>
  /** Takes a message to send it, as long as its `due` is the one that was seen; null when another sender has it. */
  leaseMessage(id: string, seen: number, until: number): Promise<MessageRecord | null>
  /** Stores the result, if the lease still stands. */
  finishMessage(message: MessageRecord, lease: number): Promise<boolean>
  /** Cancels the unsent messages about a request, except that it is settled; returns how many. */
  cancelMessages(subject: string, at: number): Promise<number>
  /** Moves a message to a later time, as long as its `due` is the one that was seen. */
  postponeMessage(id: string, seen: number, due: number): Promise<boolean>
  /** Makes the message that a request is settled due, if it waits for the end of another one. */
  hastenSettled(subject: string, target: string, due: number): Promise<void>
  setOutboxCursor(event: number): Promise<void>
  /** The same address again, for the same request, changes nothing. */
  insertCallback(callback: CallbackRecord): Promise<void>
  /** Its message is in the outbox. */
  queueCallback(request: string, mark: string): Promise<void>
  setInboxAddress(url: string): Promise<void>
  /** Replaces the pairing of the same account with the same target. */
  insertPairing(pairing: PairingRecord): Promise<void>
  deletePairing(id: string): Promise<boolean>
  insertPairingCode(code: PairingCodeRecord): Promise<void>
  /** A code works once; null when it was used, has expired, or does not exist. */
  usePairingCode(hash: string, pairing: string, now: number): Promise<PairingCodeRecord | null>
  /** False when this press is stored already. */
  insertPress(press: PressRecord): Promise<boolean>
  /** Takes a press to deal with it, as long as its `due` is the one that was seen; null when another process has it. */
  leasePress(id: string, seen: number, until: number): Promise<PressRecord | null>
  /** Stores that it was dealt with, if the lease still stands. */
  finishPress(id: string, lease: number, at: number, result: string): Promise<boolean>
  saveListener(listener: ListenerRecord): Promise<void>
  deleteListener(bot: string, holder: string): Promise<void>
  addCount(name: string, by: number): Promise<void>
  setCountsCursor(event: number): Promise<void>
  /** Nobody else builds the index until then, unless somebody does now. What others left unfinished is deleted. */
  takeSearchLease(holder: string, until: number): Promise<boolean>
  /** False where another holder has taken it since. */
  renewSearchLease(holder: string, until: number): Promise<boolean>
  setSearchProgress(progress: SearchProgress): Promise<void>
  /** The number of a new segment, which nobody sees until it is published. */
  beginSegment(first: string): Promise<number>
  publishSegment(segment: number, starts: readonly string[]): Promise<void>
  /** Adds to the grams of a segment, or saves its first. */
  addGrams(segment: number, buckets: readonly Bucket[], options: { areFirst: boolean }): Promise<void>
  /** Takes a segment without requests out of the index, of those that begin at this id or before; false where there is none. */
  deleteEmptySegment(until: string): Promise<boolean>
  /** Deletes a few rows of segments that are out of the index; returns how many. */
  deleteGrams(limit: number): Promise<number>
  setProbedAt(at: number): Promise<void>
  setNextGarbageCollection(at: number): Promise<void>
  /** Deletes settled requests with their values, drafts and messages; returns their ids. */
  deleteOldRequests(range: Range<string>): Promise<string[]>
  /** Deletes the oldest pieces of the logs of old runs; returns how many. */
  deleteOldLogs(range: Range<string>, limit: number): Promise<number>
  /** Whole records, because each has a snapshot in a Git repository. */
  deleteOldCheckpoints(range: Range<string>, limit: number): Promise<CheckpointRecord[]>
  /** Deletes ended runs that have neither requests nor logs nor checkpoints; returns their ids. */
  deleteOldRuns(range: Range<string>): Promise<string[]>
  /** Deletes events of requests and runs that are deleted, and notes up to where; returns how many. */
  deleteOldEvents(range: Range<number>): Promise<number>
  /** Deletes files of requests that are deleted; returns how many. */
  deleteLostAttachments(limit: number): Promise<number>
  /** Deletes drafts and snoozes of settled requests, ended tokens, what was kept for them, and old presses; returns how many. */
  deleteLeftovers(before: number, limit: number): Promise<number>
}
