/** Who uses the hub: an agent that asks, or a person who answers. */
export interface Caller {
  user: string
  host: string
  directory: string
  /** The agent's name, for requests that do not bring one. */
  agent: string
  /** The channel of this caller's answers. */
  channel: string
  /** The token that it authenticated with over HTTP; null in process. */
  token: string | null
  /** The run that this token is bound to. */
  boundTo: string | null
  /** The Git branch in a directory of its machine, where that is this machine. */
  branchOf?: (directory: string) => string | undefined
  /** The trace that a call of it is part of, where this process traces. */
  traceparent?: () => string | null
}
