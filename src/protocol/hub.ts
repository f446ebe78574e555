import type { AnswerInput, AskOutcome, CancelInput, DeclineInput, Edited, SkipInput } from './answer.ts'
import type { AskInput } from './ask.ts'
import type { Attachment, AttachmentInput } from './attachment.ts'
import type { Checkpoint, SaveCheckpointInput } from './checkpoint.ts'
import type { Draft, DraftInput, DraftReader, Drafts } from './draft.ts'
import type { Earlier } from './earlier.ts'
import type { Event } from './event.ts'
import type { Inbox, InboxFilter, SnoozeInput } from './inbox.ts'
import type { Kept } from './kept.ts'
import type { Message, MessageInput, OnMessage } from './message.ts'
import type {
  AddTargetInput,
  ChangeTargetInput,
  NewTarget,
  PushSubscriptionInput,
  Target,
  TargetTest,
} from './notify.ts'
import type { Pairing, StartedPairing } from './pairing.ts'
import type { Request } from './request.ts'
import type { Rule } from './rule.ts'
import type { ChangeRunInput, Run, StartRunInput } from './run.ts'
import type { AppendLogInput, LogEnd, LogPage, ReadLogOptions } from './run-log.ts'
import type { FindIdsInput, FoundId } from './short-id.ts'
import type { Kind, Status } from './status.ts'
import type { CreateTokenInput, NewToken, Token } from './token.ts'
import type { Used, UseOptions } from './use.ts'
import type { Explanation } from './verdict.ts'

/**
 * The one interface between doors, channels and the store. It has two implementations: in process (hub/hub.ts) and
 * over HTTP (client/). Misuse throws a BeckonError; what a person or a deadline decided is returned as a value. `Each` is
 * a request as its caller has it: programs find the value in its outcome, too (typed/hub.ts).
 */
export interface HubApi<Each extends Request = Request> {
  /** Stores a request, or joins the one that is the same ask, and returns without waiting. */
  raise(input: AskInput): Promise<Each>
  /** Raises, waits until settled, confirms the delivery, and returns the outcome. The yes to an approval is spent by it. */
  ask(input: AskInput, options?: AskOptions): Promise<AskOutcome>
  /** Waits until the request is settled; after `for` milliseconds it returns the request as it is, still pending. */
  wait(id: string, options?: WaitOptions): Promise<Each>

  /** What the person decided. Somebody else may have been first: see `won` and `replay`. */
  answer(id: string, input: AnswerInput): Promise<Settlement<Each>>
  /** The person passes over an optional request; its value is the default, if there is one. */
  skip(id: string, input?: SkipInput): Promise<Settlement<Each>>
  /** The person says no, with a reason. */
  decline(id: string, input?: DeclineInput): Promise<Settlement<Each>>
  /** The asker withdraws. */
  cancel(id: string, input?: CancelInput): Promise<Settlement<Each>>

  /** What the guard says about a person's own version of an approval, before they approve it. */
  judge(id: string, edited: Edited): Promise<Explanation>

  /** Approves an action by a rule that a person made, if the rule plainly covers it; otherwise throws. */
  allowByRule(id: string, rule: string): Promise<Settlement<Each>>

  /** What people ask back, and what the asker replies, while a request is open. */
  messages: MessagesApi<Each>

  /** What people have entered and not sent yet. */
  drafts: DraftsApi
  /** Pictures and other files that came with a request. */
  attachments: AttachmentsApi<Each>

  /** The request as it is now. */
  get(id: string): Promise<Each>
  /** The ids that end so, newest first, at most 50: for people, who type the end of an id. Programs name whole ids. */
  findIds(input: FindIdsInput): Promise<FoundId[]>
  /** What people answered when the same was asked in the same project before, and whether an answer may become a rule. */
  earlier(id: string): Promise<Earlier>
  /** One page of requests, oldest first: the pending ones unless the filter says otherwise. */
  list(filter?: ListFilter): Promise<RequestPage<Each>>
  /** What waits for the calling person: the urgent first, then the newest, with counts of everything. */
  inbox(filter?: InboxFilter): Promise<Inbox>
  /** Hides a request from the calling person's inbox until a time. Its deadline stays, and a critical one is not hidden. */
  snooze(id: string, input: SnoozeInput): Promise<Each>
  /** One page of events after the cursor. Fails with `cursor_gone` where some of them were deleted. */
  events(options?: EventsOptions): Promise<Event[]>
  /** Every event after the cursor (without one: from now on) as it happens, until the signal. `cursor_gone` as above. */
  follow(options?: FollowOptions): AsyncIterable<Event>

  /** The agent took the outcome. The first confirmation is the one that counts. */
  confirmDelivery(id: string): Promise<Each>
  /** Spends a settled yes or a provided value, once. Nothing else opens a sealed value. */
  use(id: string, options?: UseOptions): Promise<Used<Each>>
  /** Gives a pending request another deadline in milliseconds from now, or none. */
  reschedule(id: string, timeout: number | null): Promise<Each>

  kept: KeptApi
  rules: RulesApi
  runs: RunsApi
  logs: LogsApi
  checkpoints: CheckpointsApi
  tokens: TokensApi
  targets: TargetsApi
  push: PushApi
  pairings: PairingsApi
  callbacks: CallbacksApi

  /** Ends its waits and streams, and closes the database or the connection. */
  close(): Promise<void>
}

export interface MessagesApi<Each extends Request = Request> {
  /** Adds a message to an open request. `settled_otherwise` where it is settled: its details have the outcome. */
  send(id: string, input: MessageInput): Promise<Each>
  /** Messages of people that the asker did not take yet, oldest first. */
  unheard(id: string): Promise<Message[]>
  /** The asker took the messages up to this one; they are not handed over again. */
  confirm(id: string, last: string): Promise<Each>
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

export interface AttachmentsApi<Each extends Request = Request> {
  /** The files of a request. */
  list(id: string): Promise<Attachment[]>
  /** The bytes of one. */
  read(id: string, attachment: string): Promise<Uint8Array>
  /** The asker adds a file to an open request; the same file again is there once. */
  add(id: string, file: AttachmentInput): Promise<Each>
}

/** What people keep for later asks; never the values. */
export interface KeptApi {
  /** What is kept, by name. */
  list(): Promise<Kept[]>
  /** Deletes it, with every value that was given by it and not used yet. */
  forget(name: string): Promise<Kept>
}

/** What people always allow, want to be asked about, or forbid. */
export interface RulesApi {
  /** Oldest first. `all` includes removed and expired rules. */
  list(options?: { all?: boolean | undefined }): Promise<Rule[]>
  /** Returns the removed rule; the first removal counts. */
  remove(id: string): Promise<Rule>
}

export interface RunsApi {
  /** Announces a run, so that its requests belong to it. */
  start(input: StartRunInput): Promise<Run>
  /** The run, and what it waits for. */
  get(id: string): Promise<Run>
  /** Newest first, except with `ready`. */
  list(filter?: RunFilter): Promise<Run[]>
  /** Changes a run; for its supervisor. An end settles what is open: cancelled by a stop, else orphaned for good. */
  change(id: string, input: ChangeRunInput): Promise<Run>
  /** Pauses a run until `resume`. */
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
  /** One checkpoint. */
  get(id: string): Promise<Checkpoint>
  /** The checkpoints of a run, newest first. */
  list(run: string, options?: { limit?: number | undefined }): Promise<Checkpoint[]>
}

/** Tokens open this hub to others over HTTP. */
export interface TokensApi {
  /** A new token, with its secret, which is shown this once. */
  create(input: CreateTokenInput): Promise<NewToken>
  /** Newest first, without their secrets. */
  list(): Promise<Token[]>
  /** Ends a token with everything that was made with it. */
  revoke(id: string): Promise<Token>
}

/** Where people are notified that something waits. Addresses are sealed, and shown in part only. */
export interface TargetsApi {
  /** Notifies this address from now on. */
  add(input: AddTargetInput): Promise<NewTarget>
  /** By name, with a part of each address. */
  list(): Promise<Target[]>
  /** Changes which requests it hears of, and when. Messages that wait already are not sent at another time. */
  change(name: string, input: ChangeTargetInput): Promise<Target>
  /** Removes it with every message to it that was not sent yet. */
  remove(name: string): Promise<Target>
  /** Sends a test message now and returns how that went. `url` is where the inbox is. */
  test(name: string, options?: { url?: string | undefined }): Promise<TargetTest>
}

/** Accounts of chats that answer as a person. */
export interface PairingsApi {
  /** Gives the calling person a code to send to the bot of a target. */
  start(target: string): Promise<StartedPairing>
  /** Oldest first. */
  list(): Promise<Pairing[]>
  /** What is pressed by this account from now on changes nothing. */
  remove(id: string): Promise<Pairing>
}

/** What is sent to the `callbackUrl` of an ask. */
export interface CallbacksApi {
  /** The secret that signs the callbacks of this caller's asks; the same each time. */
  secret(): Promise<string>
}

export interface PushApi {
  /** The key that a browser subscribes to push messages with. */
  key(): Promise<string>
  /** The same browser again is still one subscription. */
  subscribe(subscription: PushSubscriptionInput): Promise<Target>
  /** Sends one message to this browser, once. */
  test(endpoint: string, options?: { url?: string | undefined }): Promise<TargetTest>
  /** False when it was not subscribed. */
  unsubscribe(endpoint: string): Promise<boolean>
}

export interface EventsOptions {
  /** 0, which is the default, is the beginning of what is left. */
  since?: number | undefined
  limit?: number | undefined
  /** Reads what is left after the cursor, also where events were deleted: for page after page from the beginning. */
  allowGaps?: boolean | undefined
}

export interface FollowOptions {
  /** The id of the last event that you have; 0 is the beginning of what is left. Without it, from now on. */
  since?: number | undefined
  signal?: AbortSignal | undefined
  /** Called once, with the cursor at which the events begin: nothing after it will be missed. */
  onReady?: ((cursor: number) => void) | undefined
  /**
   * Called where events were deleted before they were read, with the cursor at which it goes on: read again what you
   * follow. Without it, that fails with `cursor_gone`.
   */
  onGap?: ((cursor: number) => void) | undefined
}

export interface AskOptions {
  /** Ends the wait: `ask` then throws its reason. The request stays open, and the same ask takes it up again. */
  signal?: AbortSignal | undefined
  /** Given, people can ask back: each message is handed over once, also after a restart. */
  onMessage?: OnMessage | undefined
}

export interface WaitOptions {
  /** How long, in milliseconds; 0 looks once. Without it, as long as it takes. */
  for?: number | undefined
  /** Also returns, with the request still pending, as soon as there is a message of a person that the asker did not take. */
  orMessage?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** `won`: this call settled it. `replay`: it was settled before by the very same answer. Otherwise somebody else won. */
export interface Settlement<Each extends Request = Request> {
  won: boolean
  replay: boolean
  request: Each
  /** The name under which the value is kept for later asks. */
  kept?: string
}

export interface ListFilter {
  /** `pending` unless given. */
  status?: Status | 'all' | undefined
  run?: string | undefined
  kind?: Kind | undefined
  /** The `next` of the page before. */
  after?: string | undefined
  limit?: number | undefined
  /** Oldest first unless it is `desc`. */
  order?: 'asc' | 'desc' | undefined
  /** Only requests whose text contains this, in upper or lower case. */
  search?: string | undefined
  /** Only requests of this session of an agent. */
  session?: string | undefined
}

export interface RunFilter {
  /** Only runs that have not ended. */
  active?: boolean | undefined
  /** Only active runs that are not asleep. */
  awake?: boolean | undefined
  /** Only sleeping runs with nothing open, or whose agent was asked back, oldest first. */
  ready?: boolean | undefined
  /** Only runs on this machine. */
  host?: string | undefined
  /** Only runs that were not announced over HTTP. */
  local?: boolean | undefined
  /** Only runs that were started with this token. */
  token?: string | undefined
  limit?: number | undefined
}

export interface RequestPage<Each extends Request = Request> {
  requests: Each[]
  next: string | null
  /** The last event before this page was read: `follow` since it misses no change. */
  cursor: number
}
