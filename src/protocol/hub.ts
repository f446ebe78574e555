import type { AnswerInput, AskOutcome, CancelInput, DeclineInput, SkipInput } from './answer.ts'
import type { AskInput } from './ask.ts'
import type { Attachment, AttachmentInput } from './attachment.ts'
import type { Checkpoint, SaveCheckpointInput } from './checkpoint.ts'
import type { Draft, DraftInput, DraftReader, Drafts } from './draft.ts'
import type { Earlier } from './earlier.ts'
import type { Event } from './event.ts'
import type { Inbox, InboxFilter, SnoozeInput } from './inbox.ts'
import type { Kept } from './kept.ts'
import type { Message, MessageInput, OnMessage } from './message.ts'
import type { AddTargetInput, NewTarget, PushSubscriptionInput, Target, TargetTest } from './notify.ts'
import type { Request } from './request.ts'
import type { Rule } from './rule.ts'
import type { ChangeRunInput, Run, StartRunInput } from './run.ts'
import type { AppendLogInput, LogEnd, LogPage, ReadLogOptions } from './run-log.ts'
import type { Kind, Status } from './status.ts'
import type { CreateTokenInput, NewToken, Token } from './token.ts'
import type { Used, UseOptions } from './use.ts'

/**
 * The one interface between doors, channels and the store. It has two implementations: in process (hub/hub.ts) and
 * over HTTP (client/). Misuse throws a BeckonError; what a person or a deadline decided is returned as a value.
 */
export interface HubApi {
  /** Stores a request, or joins the one that is the same ask, and returns without waiting. */
  raise(input: AskInput): Promise<Request>
  /** Raises, waits until settled, confirms the delivery, and returns the outcome. The yes to an approval is spent by it. */
  ask(input: AskInput, options?: AskOptions): Promise<AskOutcome>
  /** Waits until the request is settled; after `for` milliseconds it returns the request as it is, still pending. */
  wait(id: string, options?: WaitOptions): Promise<Request>

  answer(id: string, input: AnswerInput): Promise<Settlement>
  skip(id: string, input?: SkipInput): Promise<Settlement>
  decline(id: string, input?: DeclineInput): Promise<Settlement>
  /** The asker withdraws. */
  cancel(id: string, input?: CancelInput): Promise<Settlement>

  /** Approves an action by a rule that a person made, if the rule plainly covers it; otherwise throws. */
  allowByRule(id: string, rule: string): Promise<Settlement>

  /** What people ask back, and what the asker replies, while a request is open. */
  messages: MessagesApi

  /** What people have entered and not sent yet. */
  drafts: DraftsApi
  /** Pictures and other files that came with a request. */
  attachments: AttachmentsApi

  get(id: string): Promise<Request>
  /** What people answered when the same was asked in the same project before, and whether an answer may become a rule. */
  earlier(id: string): Promise<Earlier>
  list(filter?: ListFilter): Promise<RequestPage>
  /** What waits for the calling person: the urgent first, then the newest, with counts of everything. */
  inbox(filter?: InboxFilter): Promise<Inbox>
  /** Hides a request from the calling person's inbox until a time. Its deadline stays, and a critical one is not hidden. */
  snooze(id: string, input: SnoozeInput): Promise<Request>
  /** One page of events after the cursor. Fails with `cursor_gone` where some of them were deleted. */
  events(options?: EventsOptions): Promise<Event[]>
  /** Every event after the cursor (without one: from now on) as it happens, until the signal. `cursor_gone` as above. */
  follow(options?: FollowOptions): AsyncIterable<Event>

  /** The agent took the outcome. The first confirmation is the one that counts. */
  confirmDelivery(id: string): Promise<Request>
  /** Spends a settled yes or a provided value, once. Nothing else opens a sealed value. */
  use(id: string, options?: UseOptions): Promise<Used>
  /** Gives a pending request another deadline in milliseconds from now, or none. */
  reschedule(id: string, timeout: number | null): Promise<Request>

  kept: KeptApi
  rules: RulesApi
  runs: RunsApi
  logs: LogsApi
  checkpoints: CheckpointsApi
  tokens: TokensApi
  targets: TargetsApi
  push: PushApi

  close(): Promise<void>
}

export interface MessagesApi {
  /** Adds a message to an open request. `settled_otherwise` where it is settled: its details have the outcome. */
  send(id: string, input: MessageInput): Promise<Request>
  /** Messages of people that the asker did not take yet, oldest first. */
  unheard(id: string): Promise<Message[]>
  /** The asker took the messages up to this one; they are not handed over again. */
  confirm(id: string, last: string): Promise<Request>
}

export interface DraftsApi {
  /** Replaces the person's own draft; an empty one deletes it. */
  save(id: string, draft: DraftInput): Promise<void>
  /** The person's own draft, else the newest of somebody else (see its `by`), else null. None once it is settled. */
  get(id: string, options?: DraftReader): Promise<Draft | null>
  /** The person's own draft, and those that others began. */
  all(id: string, options?: DraftReader): Promise<Drafts>
  /** Stops offering the draft of this person to others; its author keeps it. False when there was none to discard. */
  discard(id: string, by: string): Promise<boolean>
}

export interface AttachmentsApi {
  list(id: string): Promise<Attachment[]>
  /** The bytes of one. */
  read(id: string, attachment: string): Promise<Uint8Array>
  /** The asker adds a file to an open request; the same file again is there once. */
  add(id: string, file: AttachmentInput): Promise<Request>
}

/** What people keep for later asks; never the values. */
export interface KeptApi {
  list(): Promise<Kept[]>
  /** Deletes it, with every value that was given by it and not used yet. */
  forget(name: string): Promise<Kept>
}

/** What people always allow, want to be asked about, or forbid. */
export interface RulesApi {
  /** Oldest first. `all` includes removed and expired rules. */
  list(options?: { all?: boolean }): Promise<Rule[]>
  /** Returns the removed rule; the first removal counts. */
  remove(id: string): Promise<Rule>
}

export interface RunsApi {
  start(input: StartRunInput): Promise<Run>
  get(id: string): Promise<Run>
  /** Newest first, except with `ready`. */
  list(filter?: RunFilter): Promise<Run[]>
  /** Changes a run; for its supervisor. An end settles what is open: cancelled by a stop, else orphaned for good. */
  change(id: string, input: ChangeRunInput): Promise<Run>
  pause(id: string, reason?: string | null): Promise<Run>
  /** Lets a paused run continue. */
  resume(id: string, reason?: string | null): Promise<Run>
  /** Stops a run for good; what it asked is cancelled. */
  stop(id: string, reason?: string | null): Promise<Run>
}

/** What runs printed, where the hub stores their logs. */
export interface LogsApi {
  /** Appends to the log of a run on another machine, if it ends where the writer thinks; returns where it ends. */
  append(run: string, input: AppendLogInput): Promise<LogEnd>
  /** One page of what a run printed. Where nothing is new yet, it waits for `wait` seconds. */
  read(run: string, options?: ReadLogOptions): Promise<LogPage>
}

export interface CheckpointsApi {
  /** Saves what it takes to bring a run back to this moment. It raises no event. */
  save(input: SaveCheckpointInput): Promise<Checkpoint>
  get(id: string): Promise<Checkpoint>
  /** The checkpoints of a run, newest first. */
  list(run: string, options?: { limit?: number }): Promise<Checkpoint[]>
}

/** Tokens open this hub to others over HTTP. */
export interface TokensApi {
  create(input: CreateTokenInput): Promise<NewToken>
  list(): Promise<Token[]>
  revoke(id: string): Promise<Token>
}

/** Where people are notified that something waits. Addresses are sealed, and shown in part only. */
export interface TargetsApi {
  add(input: AddTargetInput): Promise<NewTarget>
  list(): Promise<Target[]>
  /** Removes it with every message to it that was not sent yet. */
  remove(name: string): Promise<Target>
  /** Sends a test message now and returns how that went. `url` is where the inbox is. */
  test(name: string, options?: { url?: string }): Promise<TargetTest>
}

export interface PushApi {
  /** The key that a browser subscribes to push messages with. */
  key(): Promise<string>
  /** The same browser again is still one subscription. */
  subscribe(subscription: PushSubscriptionInput): Promise<Target>
  /** Sends one message to this browser, once. */
  test(endpoint: string, options?: { url?: string }): Promise<TargetTest>
  /** False when it was not subscribed. */
  unsubscribe(endpoint: string): Promise<boolean>
}

export interface EventsOptions {
  /** 0, which is the default, is the beginning of what is left. */
  since?: number
  limit?: number
  /** Reads what is left after the cursor, also where events were deleted: for page after page from the beginning. */
  allowGaps?: boolean
}

export interface FollowOptions {
  since?: number
  signal?: AbortSignal
  /** Called once, with the cursor at which the events begin: nothing after it will be missed. */
  onReady?: (cursor: number) => void
  /**
   * Called where events were deleted before they were read, with the cursor at which it goes on: read again what you
   * follow. Without it, that fails with `cursor_gone`.
   */
  onGap?: (cursor: number) => void
}

export interface AskOptions {
  signal?: AbortSignal
  /** Given, people can ask back: each message is handed over once, also after a restart. */
  onMessage?: OnMessage
}

export interface WaitOptions {
  for?: number
  /** Also returns, with the request still pending, as soon as there is a message of a person that the asker did not take. */
  orMessage?: boolean
  signal?: AbortSignal
}

/** `won`: this call settled it. `replay`: it was settled before by the very same answer. Otherwise somebody else won. */
export interface Settlement {
  won: boolean
  replay: boolean
  request: Request
  /** The name under which the value is kept for later asks. */
  kept?: string
}

export interface ListFilter {
  status?: Status | 'all'
  run?: string
  kind?: Kind
  after?: string
  limit?: number
  /** Oldest first unless it is `desc`. */
  order?: 'asc' | 'desc'
  /** Only requests whose text contains this, in upper or lower case. */
  search?: string
  /** Only requests of this session of an agent. */
  session?: string
}

export interface RunFilter {
  /** Only runs that have not ended. */
  active?: boolean
  /** Only active runs that are not asleep. */
  awake?: boolean
  /** Only sleeping runs with nothing open, or whose agent was asked back, oldest first. */
  ready?: boolean
  /** Only runs on this machine. */
  host?: string
  /** Only runs that were not announced over HTTP. */
  local?: boolean
  /** Only runs that were started with this token. */
  token?: string
  limit?: number
}

export interface RequestPage {
  requests: Request[]
  next: string | null
  /** The last event before this page was read: `follow` since it misses no change. */
  cursor: number
}
