/** The settings of a holder, in `spec.json` of the run's folder. Its environment is the agent's. */
export interface HolderSpec {
  command: string[]
  cwd: string
  /** The path of the socket that it listens on. */
  socket: string
  /** What holder and supervisor know each other by. Missing where an earlier version started the run. */
  secret?: string
  /** Names this start of the run. Missing where an earlier version started it. */
  start?: string
  /** Whether the agent has a stdin to read from. */
  stdin: 'pipe' | 'none'
  /** Ids of answers that are in the agent's command: they count as written. */
  given?: string[]
  /** How many bytes of output are kept for a supervisor. */
  room?: number
  /** Gives the agent a pseudo-terminal of this size instead of pipes. */
  pty?: WindowSize | null
}

export interface WindowSize {
  columns: number
  rows: number
}
