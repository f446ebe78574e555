import type { Kind, Outcome, Status } from '../protocol/index.ts'
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
import type { KeptPlace } from './statements/kept.ts'
import type { Unannounced } from './statements/outbox.ts'

/**
 * Where everything meets. Two of these, SQLite and PostgreSQL, pass one contract suite.
 *
 * `change` runs work in a durable transaction and returns after COMMIT, never before. Concurrent changes share one
 * transaction; work may therefore be run a second time, alone, when a sibling spoiled the batch, and must do nothing
 * that its transaction does not undo. `lock` names what two changes must not do at the same time.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  change<T>(work: (tx: Transaction) => Promise<T | AfterCommit<T>>, lock?: string): Promise<T>
  read<T>(work: (view: View) => Promise<T>): Promise<T>
  /**
   * Calls back after every commit of any process that announced something, at once as a rule and within a second or
   * so at worst. It may call back without a reason. Where the store knows for sure what the commit announced,
   * it says so.
   */
  watch(onCommit: (events?: readonly EventRecord[]) => void): Promise<Watch>
  /** Writes a consistent copy of the whole store. */
  backup(file: string): Promise<void>
  /** What there is to say about its health: `[what, finding, fine]`. */
  examine(): Promise<Finding[]>
  close(): Promise<void>
}

/** A result of a change that is known only once it has been committed. */
export class AfterCommit<T> {
  readonly read: () => Promise<T>
  constructor(read: () => Promise<T>) {
    this.read = read
  }
}

export interface Watch {
  stop(): void
  /** Whether watching keeps the process alive; it does at first. */
  hold(alive: boolean): void
}

export interface Finding {
  what: string
  finding: string
  fine: boolean
}

export interface RequestQuery {
  status: Status | null
  run: string | null
  kind: Kind | null
  /** Whose key space it was asked in. */
  scope: string | null
  /** A text that occurs in it, in capitals or not. */
  search: string | null
  newestFirst: boolean
  after: string | null
  limit: number
}

export interface RunQuery {
  which: 'all' | 'active' | 'awake' | 'ready'
  host: string | null
  /** Only those that were started without a token. */
  local: boolean
  /** Only those that were started with this one. */
  token: string | null
  limit: number
}

interface Looked {
  records: RequestRecord[]
  /** About as much as the texts of these have. */
  bytes: number
  /** Where the look ended that did not find as many as were wanted; null where there is nothing behind it. */
  behind: string | null
}

export interface View {
  now(): Promise<number>
  request(id: string): Promise<RequestRecord | null>
  /** Only whether it is still open; null where there is no such request. */
  isOpen(id: string): Promise<boolean | null>
  requestByKey(scope: string, key: string): Promise<RequestRecord | null>
  /** The ask of this content that this start of the run has not taken yet, oldest first. */
  nextOfContentInRun(content: string, start: number): Promise<RequestRecord | null>
  /** The open ask of this content by this agent, or one that was settled since then and not taken; oldest first. */
  untakenOfContent(content: string, agent: string, since?: number): Promise<RequestRecord | null>
  /** What was entered for it so far, as long as it is open. */
  draft(request: string): Promise<DraftRecord | null>
  requests(query: RequestQuery): Promise<Looked>
  openOfRun(run: string): Promise<RequestRecord[]>
  /** Pending requests whose time has come, most overdue first. */
  due(now: number, limit: number): Promise<RequestRecord[]>
  /** The next instant at which something is due. */
  nextDue(): Promise<number | null>
  events(after: number, limit: number): Promise<EventRecord[]>
  lastEvent(): Promise<number>
  run(id: string): Promise<RunRecord | null>
  /** Newest first. `active` have not ended, `awake` do not sleep either; `ready` sleep, and nothing is open of them. */
  runs(query: RunQuery): Promise<RunRecord[]>
  /** Null where the store holds no log of the run. */
  logEnd(run: string): Promise<LogEndRecord | null>
  /** The offset of the oldest byte of it that is kept. */
  logStart(run: string): Promise<number>
  /** The pieces with something behind this place, oldest first. */
  logPieces(run: string, place: { offset: number; notes: number }, limit: number): Promise<LogPieceRecord[]>
  checkpoint(id: string): Promise<CheckpointRecord | null>
  /** Those of a run, newest first. */
  checkpoints(run: string, limit: number): Promise<CheckpointRecord[]>
  sealed(request: string): Promise<SealedRecord | null>
  rule(id: string): Promise<RuleRecord | null>
  /** Oldest first. */
  rules(): Promise<RuleRecord[]>
  /** Null when nothing is sealed, or kept. */
  fingerprint(): Promise<string | null>
  /** Everything that is kept, by name. */
  kept(): Promise<KeptRecord[]>
  keptByName(name: string): Promise<KeptRecord | null>
  /** The rule for such an ask; one for that very directory comes before one for everywhere. */
  keptFor(place: KeptPlace): Promise<KeptRecord | null>
  token(id: string): Promise<TokenRecord | null>
  tokenByHash(hash: string): Promise<TokenRecord | null>
  /** Tokens alone, newest first. */
  tokens(limit: number): Promise<TokenRecord[]>
  /** Browsers that are signed in now, newest first: those of one name, or all. */
  sessions(name: string | null, limit: number): Promise<TokenRecord[]>
  /** The ids of what was revoked, signed out or spent since then. */
  revokedSince(since: number): Promise<string[]>
  /** Where people are told, by name. */
  targets(): Promise<TargetRecord[]>
  target(id: string): Promise<TargetRecord | null>
  targetByName(name: string): Promise<TargetRecord | null>
  targetByMark(mark: string): Promise<TargetRecord | null>
  pushKeys(): Promise<PushKeysRecord | null>
  message(id: string): Promise<MessageRecord | null>
  /** Messages to a target whose time has come, most overdue first. */
  dueMessages(target: string, now: number, limit: number): Promise<MessageRecord[]>
  /** The next instant at which a message is due. */
  nextMessage(): Promise<number | null>
  waitingMessages(): Promise<number>
  /** How many there are of each state, of those that are done only the ones since then. */
  countMessages(since: number): Promise<Partial<Record<MessageRecord['state'], number>>>
  /** Open requests that a target was told nothing of, oldest first. */
  unannounced(query: Unannounced): Promise<RequestRecord[]>
  /** The last event that messages were written for; null before the first. */
  outboxCursor(): Promise<number | null>
}

export interface Transaction extends View {
  /** The work is run again because the word of its commit was lost: it did happen. */
  readonly happened: boolean
  /** From here to the commit, nobody else is where this is held. */
  lock(name: string): Promise<void>
  insertRequest(request: RequestRecord): Promise<void>
  /** Settles a pending request; null when it was not pending any more, or with `onlyIfDue`, its deadline was moved. */
  settle(id: string, outcome: Outcome, at: number, options?: { onlyIfDue?: boolean }): Promise<RequestRecord | null>
  /**
   * The same together with the commit, which saves a round trip. The event is announced if it was still pending;
   * whether it was, the returned function tells after the commit.
   */
  settleAtCommit(id: string, outcome: Outcome, at: number, event: NewEvent): () => RequestRecord | null
  /** Sets the next reminder, if the one that was seen still stands. */
  remind(id: string, seenDue: number, nextDue: number | null): Promise<boolean>
  reschedule(id: string, deadline: { timeout: number; due: number } | null): Promise<RequestRecord | null>
  /** Null when it was delivered before, or is not settled. Within a run, it is delivered to the run's present start. */
  deliver(id: string, at: number): Promise<RequestRecord | null>
  /** A later start of the run took it again. */
  redeliver(id: string): Promise<void>
  /** Null when it was used before, or is no yes. */
  use(id: string, at: number): Promise<RequestRecord | null>
  /** In place of the one before; false when the request is not open, or one that keeps no draft. Nobody is woken. */
  saveDraft(draft: DraftRecord): Promise<boolean>
  deleteDraft(request: string): Promise<void>
  append(event: NewEvent): void
  insertRun(run: RunRecord): Promise<void>
  /** Replaces a run as long as it still has the status that was seen. */
  replaceRun(run: RunRecord, seen: RunRecord['status']): Promise<boolean>
  /** Keeps a run as it is until the commit; false when it has ended for good, or is not there. */
  holdRun(id: string): Promise<boolean>
  /** Announces nothing: a log is no event. */
  insertLogPiece(piece: LogPieceRecord): Promise<void>
  /** Deletes the oldest pieces, but not the last, so that about so many bytes are kept. */
  trimLog(run: string, end: LogEndRecord, keep: number): Promise<void>
  insertCheckpoint(checkpoint: CheckpointRecord): Promise<void>
  seal(sealed: SealedRecord): Promise<void>
  unseal(request: string): Promise<void>
  unsealRun(run: string): Promise<void>
  insertKept(kept: KeptRecord): Promise<void>
  /** Holds it until the commit; false when it was taken back. */
  takeKept(id: string, at: number): Promise<boolean>
  deleteKept(id: string): Promise<boolean>
  /** Deletes every sealed value that was given by it and not used yet. */
  unsealKept(id: string): Promise<void>
  insertRule(rule: RuleRecord): Promise<void>
  /** Null when it was removed before, or never was. */
  removeRule(id: string, by: string, at: number): Promise<RuleRecord | null>
  setFingerprint(fingerprint: string): Promise<void>
  insertToken(token: TokenRecord): Promise<void>
  /** With the sessions that it opened. Those that were still good. */
  revokeToken(id: string, at: number): Promise<TokenRecord[]>
  /** A link is good once; null when it was spent, has expired, or is none. */
  spendLink(hash: string, at: number): Promise<TokenRecord | null>
  touchToken(id: string, at: number): Promise<void>
  insertTarget(target: TargetRecord): Promise<void>
  /** With all messages to it. */
  deleteTarget(id: string): Promise<boolean>
  deleteTargetsOf(token: string): Promise<void>
  insertPushKeys(keys: PushKeysRecord): Promise<void>
  /** False when there is one already for this request, target and occasion. */
  insertMessage(message: MessageRecord): Promise<boolean>
  /** Takes a message to send it, as long as it is due when it was seen to be; null when somebody else has it. */
  leaseMessage(id: string, seen: number, until: number): Promise<MessageRecord | null>
  /** Writes down how it went, if the lease still stands. */
  finishMessage(message: MessageRecord, lease: number): Promise<boolean>
  /** What was not sent yet about a request; how many. */
  cancelMessages(request: string, at: number): Promise<number>
  setOutboxCursor(event: number): Promise<void>
  /** Deletes what was settled, and events that happened, before the instant; ended runs with their checkpoints and drafts of no use too. */
  prune(before: number): Promise<Pruned>
}

export interface Pruned {
  /** Their ids, for those who hold more of them. */
  requests: string[]
  events: number
  runs: string[]
  /** Each of them, for its snapshot lies in a repository. */
  checkpoints: CheckpointRecord[]
}
