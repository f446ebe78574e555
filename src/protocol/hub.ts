import type { AnswerInput, CancelInput, DeclineInput, Outcome, SkipInput } from './answer.ts'
import type { AskInput } from './ask.ts'
import type { Checkpoint, SaveCheckpointInput } from './checkpoint.ts'
import type { Draft, DraftInput } from './draft.ts'
import type { Event } from './event.ts'
import type { Kept } from './kept.ts'
import type { AddTargetInput, NewTarget, PushSubscriptionInput, Target, TargetTest } from './notify.ts'
import type { Request } from './request.ts'
import type { Rule } from './rule.ts'
import type { ChangeRunInput, Run, StartRunInput } from './run.ts'
import type { AppendLogInput, LogEnd, LogPage, ReadLogOptions } from './run-log.ts'
import type { Kind, Status } from './status.ts'
import type { CreateTokenInput, NewToken, Token } from './token.ts'
import type { Used, UseOptions } from './use.ts'

/**
 * The one interface between doors, channels and the store. There are two of it: in process (hub/hub.ts) and over
 * HTTP (client/). Misuse throws a BeckonError; whatever a person or a deadline decided comes back as a value.
 */
export interface HubApi {
  /** Stores a request, or joins the one that is the same ask, and returns without waiting. */
  raise(input: AskInput): Promise<Request>
  /** Raises, waits until settled, confirms the delivery, and returns the outcome. */
  ask(input: AskInput, options?: { signal?: AbortSignal }): Promise<Outcome>
  /** Waits until the request is settled; after `for` milliseconds it returns the request as it is, still pending. */
  wait(id: string, options?: WaitOptions): Promise<Request>

  answer(id: string, input: AnswerInput): Promise<Settlement>
  skip(id: string, input?: SkipInput): Promise<Settlement>
  decline(id: string, input?: DeclineInput): Promise<Settlement>
  /** The asker withdraws. */
  cancel(id: string, input?: CancelInput): Promise<Settlement>

  /** A yes to an approval by a rule that a person made, where it plainly covers the action; else it is refused. */
  allowByRule(id: string, rule: string): Promise<Settlement>

  /** What a person has entered and not sent yet. */
  drafts: DraftsApi

  get(id: string): Promise<Request>
  list(filter?: ListFilter): Promise<RequestPage>
  /** One page of events after the cursor. */
  events(options?: { since?: number; limit?: number }): Promise<Event[]>
  /** Every event after the cursor (from now on, when there is none), as they come, until the signal. */
  follow(options?: FollowOptions): AsyncIterable<Event>

  /** The agent took the outcome. The first confirmation is the one that counts. */
  confirmDelivery(id: string): Promise<Request>
  /** Spends a settled yes or a provided value, once. Only this opens a sealed value. */
  use(id: string, options?: UseOptions): Promise<Used>
  /** Gives a pending request another deadline, counted from now, or none. */
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

export interface DraftsApi {
  /** The last one saved stands, and an empty one deletes it. */
  save(id: string, draft: DraftInput): Promise<void>
  /** Null where nothing was entered, and once the request is settled. */
  get(id: string): Promise<Draft | null>
}

/** What people keep for later asks, and never the values. For those who may answer. */
export interface KeptApi {
  list(): Promise<Kept[]>
  /** Takes it back, with every value that was given by it and not used yet. */
  forget(name: string): Promise<Kept>
}

/** What people always allow, want to be asked about, or forbid. */
export interface RulesApi {
  /** Oldest first. With `all` the removed and expired ones too. */
  list(options?: { all?: boolean }): Promise<Rule[]>
  /** The rule as it was removed; the first removal counts. */
  remove(id: string): Promise<Rule>
}

export interface RunsApi {
  start(input: StartRunInput): Promise<Run>
  get(id: string): Promise<Run>
  /** Newest first, but for `ready`. */
  list(filter?: RunFilter): Promise<Run[]>
  /** Changes a run; for its supervisor. An end settles what is open: cancelled by a stop, else orphaned for good. */
  change(id: string, input: ChangeRunInput): Promise<Run>
  pause(id: string, reason?: string | null): Promise<Run>
  /** Lets a paused run continue. */
  resume(id: string, reason?: string | null): Promise<Run>
  /** Stops a run for good; what it asked is cancelled. */
  stop(id: string, reason?: string | null): Promise<Run>
}

/** What runs printed, where their logs are kept by the hub. */
export interface LogsApi {
  /** Adds to the log of a run that runs elsewhere, if it ends where the writer thinks; tells where it ends. */
  append(run: string, input: AppendLogInput): Promise<LogEnd>
  /** One page of what a run printed. Where nothing is new yet, it waits for that a while. */
  read(run: string, options?: ReadLogOptions): Promise<LogPage>
}

export interface CheckpointsApi {
  /** Keeps what it takes to bring a run back to this moment. Nobody is woken by it. */
  save(input: SaveCheckpointInput): Promise<Checkpoint>
  get(id: string): Promise<Checkpoint>
  /** Those of a run, newest first. */
  list(run: string, options?: { limit?: number }): Promise<Checkpoint[]>
}

/** Keys to this hub over HTTP, for somebody else. */
export interface TokensApi {
  create(input: CreateTokenInput): Promise<NewToken>
  list(): Promise<Token[]>
  revoke(id: string): Promise<Token>
}

/** Where people are told that something waits. Addresses are sealed, and shown only in part. */
export interface TargetsApi {
  add(input: AddTargetInput): Promise<NewTarget>
  list(): Promise<Target[]>
  /** With every message to it that was not sent yet. */
  remove(name: string): Promise<Target>
  /** Sends a message that says it is a test, now, and tells how that went. `url` is where the inbox is. */
  test(name: string, options?: { url?: string }): Promise<TargetTest>
}

export interface PushApi {
  /** The key that a browser subscribes to push messages with. */
  key(): Promise<string>
  /** This browser wants push messages; the same one again is still one. */
  subscribe(subscription: PushSubscriptionInput): Promise<Target>
  /** False when it was not subscribed. */
  unsubscribe(endpoint: string): Promise<boolean>
}

export interface FollowOptions {
  since?: number
  signal?: AbortSignal
  /** Called once, when everything that happens from here on will be told; with the cursor it begins at. */
  onReady?: (cursor: number) => void
}

export interface WaitOptions {
  for?: number
  signal?: AbortSignal
}

/** `won`: this call settled it. `replay`: it was settled before by the very same answer. Otherwise somebody else won. */
export interface Settlement {
  won: boolean
  replay: boolean
  request: Request
  /** The name under which the value is kept from now on. */
  kept?: string
}

export interface ListFilter {
  status?: Status | 'all'
  run?: string
  kind?: Kind
  after?: string
  limit?: number
  /** Oldest first, unless it is `desc`. */
  order?: 'asc' | 'desc'
  /** Only those in whose texts this occurs, in capitals or not. */
  search?: string
}

export interface RunFilter {
  /** Only those that have not ended. */
  active?: boolean
  /** Only those that do not sleep either. */
  awake?: boolean
  /** Only those that sleep and have nothing open, oldest first. */
  ready?: boolean
  /** Only those of this machine. */
  host?: string
  /** Only those that nobody announced over HTTP. */
  local?: boolean
  /** Only those that were started with this token. */
  token?: string
  limit?: number
}

export interface RequestPage {
  requests: Request[]
  next: string | null
  /** The last event that this page knows of: what changes from here on, `follow` tells since it. */
  cursor: number
}
