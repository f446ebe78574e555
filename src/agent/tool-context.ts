import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { FailureCounter } from './calls.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import type { KeptAnswer, NewEntry } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import type { Tool, Workspace } from './tools/tool.ts'

/** Where a call asks people, and in whose name. */
export interface AskContext {
  readonly hub: HubApi
  readonly run: string | null
  readonly conversation: string
  readonly path: readonly string[]
  readonly cwd: string
  /** The turn waits for a person until this aborts; null where it does not wait at all. */
  readonly stopWaiting: AbortSignal | null
  readonly signal: AbortSignal
  readonly now: () => number
  /** What the agent said with its calls: a person who answers elsewhere has not seen it. */
  lastReply(): string
}

/** Everything that executing a call needs. */
export interface ToolContext {
  readonly asking: AskContext
  readonly workspace: Workspace
  readonly folder: string
  readonly failures: FailureCounter
  toolOf(name: string): Tool | undefined
  toolNames(): string[]
  append(entry: NewEntry): void
  emit(event: EventWithoutPath): void
  /** Hands the task to a sub-agent, or resumes the one that has it. */
  delegate(call: Call, task: { name: string; prompt: string }): Promise<TurnResult>
  /** Nothing may be changed before a person approves a plan. */
  isPlanning(): boolean
  /** While the run is paused, nothing starts. */
  waitWhilePaused(): Promise<void>
}

export type EventWithoutPath = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'path'>
    : never
  : never

/** The requests that a call waits for. */
export interface Waiting {
  readonly waiting: readonly Request[]
}

/** How a call ends. */
export interface CallResult {
  readonly output: string
  readonly failed?: boolean
  readonly answers?: readonly KeptAnswer[]
  readonly files?: readonly string[]
  readonly diff?: string
  readonly request?: Request
  /** What a person asked back, which this result hands over; the request is still open. */
  readonly askedBack?: { readonly request: string; readonly message: string }
  /** A person approved the plan, which ends plan mode. */
  readonly plan?: 'approved'
}
