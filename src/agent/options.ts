import type { Classify } from '../approval/classify.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { AgentEvent } from './events.ts'
import type { ChosenModel } from './model/choose.ts'
import type { AgentRun } from './run.ts'
import type { Tool } from './tools/tool.ts'

export interface AgentOptions {
  /** Stores questions and approvals, and their answers. */
  readonly hub: HubApi
  readonly model: ChosenModel
  /**
   * The name of the channel through which people answer this loop: `answerQuestion` then works in agent context, too.
   * `web`, `terminal`, `rule` and `policy` are Beckon's own.
   */
  readonly channel?: string
  /** Beckon's own folder, which holds the conversations. */
  readonly home: string
  /** The workspace. */
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly mode?: 'agent' | 'chat'
  /** The folder of a conversation to continue; without it, a new one starts. */
  readonly folder?: string
  readonly run?: Pick<AgentRun, 'id' | 'waitWhilePaused' | 'stopped'> | null
  readonly tools?: readonly Tool[]
  /** Judges every command before it runs; without it, a person is asked about each. */
  readonly classify?: Classify
  /** The most calls of the model in one turn. */
  readonly maxTurns?: number
  readonly maxContextTokens?: number
  /** `first`: the first reply of a turn must use a tool. */
  readonly toolChoice?: 'auto' | 'first'
  readonly onEvent?: (event: AgentEvent) => void
  readonly now?: () => number
  /** Waits before a failed request to the model is retried. Tests pass one that does not wait. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** The names of the agents from the main one to this one. */
  readonly path?: readonly string[]
}

export interface TurnOptions {
  /** Wait for a person inside the turn, instead of returning `needsInput`. */
  readonly wait?: boolean
  /** Stops waiting for people and nothing else: running tools finish, and the turn returns `needsInput`. */
  readonly stopWaiting?: AbortSignal
  /** Interrupts everything. */
  readonly signal?: AbortSignal
  readonly maxTurns?: number
}
