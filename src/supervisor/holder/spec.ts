/** What a holder is told, in `spec.json` of the run's folder. Its environment is the agent's. */
export interface HolderSpec {
  command: string[]
  cwd: string
  /** Path of the socket that it listens on. */
  socket: string
  /** Whether the agent gets something to read on its stdin, or nothing. */
  stdin: 'pipe' | 'none'
  /** Ids of answers that the agent gets otherwise: they count as written. */
  given?: string[]
  /** How much output is kept for a supervisor, in bytes. */
  room?: number
  /** The agent gets a pseudo-terminal of this size in place of pipes. */
  pty?: WindowSize | null
}

export interface WindowSize {
  columns: number
  rows: number
}
