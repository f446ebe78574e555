import type { HubApi } from '../protocol/hub.ts'
import type { AgentEvent } from './events.ts'
import type { Classify } from './guard.ts'
import type { ChosenModel } from './model/choose.ts'
import type { AgentRun } from './run.ts'
import type { Tool } from './tools/tool.ts'

export interface AgentOptions {
  /** Where questions and approvals are stored, and answered. */
  readonly hub: HubApi
  readonly model: ChosenModel
  /** Beckon's folder; conversations are kept in it. */
  readonly home: string
  /** The workspace. */
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly mode?: 'agent' | 'chat'
  /** The folder of a conversation to continue; a new one unless given. */
  readonly folder?: string
  readonly run?: Pick<AgentRun, 'id' | 'gate' | 'stopped'> | null
  readonly tools?: readonly Tool[]
  /** Looks at every command before it runs; without one, a person is asked about each. */
  readonly classify?: Classify
  /** How often the model is called in one turn, at most. */
  readonly maxTurns?: number
  readonly maxContextTokens?: number
  /** `first`: the first reply of a turn must use a tool. */
  readonly toolChoice?: 'auto' | 'first'
  readonly onEvent?: (event: AgentEvent) => void
  readonly now?: () => number
  /** How a failed request to the model is waited for; a test need not wait. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From the main agent to this one. */
  readonly path?: readonly string[]
}

export interface TurnOptions {
  /** Wait for a person inside of the turn, instead of returning `needsInput`. */
  readonly wait?: boolean
  /** Ends the waiting and nothing else: what is being worked on comes to its end, and the turn returns `needsInput`. */
  readonly patience?: AbortSignal
  /** Interrupts everything. */
  readonly signal?: AbortSignal
  readonly maxTurns?: number
}
