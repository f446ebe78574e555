import type { Classify } from '../approval/classify.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { AgentEvent } from './events.ts'
import type { McpServers } from './mcp/servers.ts'
import type { ChosenModel } from './model/choose.ts'
import type { ModelTraffic } from './model/traffic.ts'
import type { AgentRun } from './run.ts'
import type { Tool } from './tools/tool.ts'
import type { FileCheckpoints } from './turn-checkpoints.ts'

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
  /** Saves the files before each turn, so that a person can rewind to it. */
  readonly files?: FileCheckpoints
  /** Gets every request to the model and its reply, for a debug log. */
  readonly onTraffic?: (entry: ModelTraffic) => void
  readonly onEvent?: (event: AgentEvent) => void
  readonly now?: () => number
  /** Waits before a failed request to the model is retried. Tests pass one that does not wait. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Send the images that a message names by path. A program that passes on what strangers write leaves it off. */
  readonly sendsImages?: boolean
  /** Start in plan mode: nothing is changed before a person approves a plan. */
  readonly plan?: boolean
  /** Whether the agent that hands work to this one is in plan mode. */
  readonly isParentPlanning?: () => boolean
  /** Start the MCP servers of `mcp.json` in `home` and, with a person's approval, those of the project's `.mcp.json`. */
  readonly mcp?: boolean
  /** The MCP servers of the agent that hands work to this one. */
  readonly servers?: McpServers | null
  /** The names of the agents from the main one to this one. */
  readonly path?: readonly string[]
}

/** Why a person's signal interrupts a turn: it goes on when they say so. Any other reason is a cut-off, like a crash. */
export const stoppedByPerson = 'stopped by a person'

export interface TurnOptions {
  /** Wait for a person inside the turn, instead of returning `needsInput`. */
  readonly wait?: boolean
  /** Stops waiting for people and nothing else: running tools finish, and the turn returns `needsInput`. */
  readonly stopWaiting?: AbortSignal
  /** Interrupts everything. */
  readonly signal?: AbortSignal
  readonly maxTurns?: number
  /** The message as the person saw it, where that is shorter: a long paste is shown by its length. */
  readonly shown?: string | undefined
  /** What a person wrote since the turn began: the model reads it after the results of its calls. */
  takeMessages?(): readonly (string | PersonMessage)[]
}

export interface PersonMessage {
  readonly text: string
  /** As the person saw it. */
  readonly shown?: string | undefined
}
