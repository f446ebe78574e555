import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Failures } from './calls.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import type { KeptAnswer, NewEntry } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import type { Place, Tool } from './tools/tool.ts'

/** Where people are asked, and in whose name. */
export interface Desk {
  readonly hub: HubApi
  readonly run: string | null
  readonly conversation: string
  readonly path: readonly string[]
  readonly cwd: string
  /** A person is waited for inside of the turn until this; not at all where it is null. */
  readonly patience: AbortSignal | null
  readonly signal: AbortSignal
  readonly now: () => number
  /** What the agent said with its calls: whoever answers elsewhere has not heard it. */
  said(): string
}

/** What carrying out a call stands on. */
export interface Bench {
  readonly desk: Desk
  readonly place: Place
  readonly folder: string
  readonly failures: Failures
  toolOf(name: string): Tool | undefined
  toolNames(): string[]
  append(entry: NewEntry): void
  emit(event: EventWithoutPath): void
  /** Has a sub-agent do it; resumes it where it was. */
  delegate(call: Call, task: { name: string; prompt: string }): Promise<TurnResult>
  /** While the run is paused, nothing begins. */
  gate(): Promise<void>
}

export type EventWithoutPath = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'path'>
    : never
  : never

/** The requests that the call waits for; none when it has its result. */
export type Waiting = readonly Request[]

/** What becomes of a call. */
export interface Outcome {
  readonly output: string
  readonly failed?: boolean
  readonly answers?: readonly KeptAnswer[]
  readonly files?: readonly string[]
  readonly request?: Request
}
