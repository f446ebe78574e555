/** The options of every command of the agent. */
export interface AgentCommandOptions {
  continue?: boolean
  /** The id of the conversation to continue; by default the last one of this directory. */
  conversation?: string
  /** The id of the conversation to resume; true to pick one. */
  resume?: string | true
  model?: string
  maxTurns?: string
  contextTokens?: string
  firstTool?: boolean
  /** Start in plan mode. */
  plan?: boolean
  /** Undefined where neither --strict nor --no-strict is given. */
  strict?: boolean
  /** The file of the debug log. */
  debug?: string
  json?: boolean
  /** Lines instead of frames. */
  plain?: boolean
  /** `--no-human`: what to do when nobody can be asked; true when it was not given. */
  human?: true | 'fail' | 'park'
}
