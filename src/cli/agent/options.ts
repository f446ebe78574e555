/** What can be said to every command of the agent. */
export interface AgentCommandOptions {
  continue?: boolean
  /** The one to continue, by its id; else the last one of this directory. */
  conversation?: string
  model?: string
  maxTurns?: string
  contextTokens?: string
  firstTool?: boolean
  json?: boolean
  /** Lines instead of frames. */
  plain?: boolean
  /** `--no-human`: what to do where no person can be asked; true when it was not given. */
  human?: true | 'fail' | 'park'
}
