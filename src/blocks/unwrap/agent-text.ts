/** One line of an agent's JSON output. */
export interface AgentEvent {
  type: unknown
}

/** Text written by an agent: a piece that continues the one before, or a whole message that starts on a new line. */
export interface AgentText {
  text: string
  whole: boolean
}

/** Reads the events of one agent; there is one reader per format. */
export interface EventReader {
  read(event: AgentEvent): AgentText[]
  session(): string | null
  /** What another reader needs to continue; plain data. */
  state(): unknown
}
