/** One line of an agent's JSON output. */
export interface AgentEvent {
  type: unknown
}

/** Text that an agent said: a piece that goes on with the one before it, or a whole message with lines of its own. */
export interface Said {
  text: string
  whole: boolean
}

/** Reads one agent's events; a sibling for each format. */
export interface EventReader {
  read(event: AgentEvent): Said[]
  session(): string | null
  /** What another reader needs to go on; plain data. */
  state(): unknown
}
