/** Who speaks to the hub. */
export interface Caller {
  user: string
  host: string
  directory: string
  /** The name of the agent, for requests that do not bring one. */
  agent: string
  /** The way by which this caller answers. */
  channel: string
  /** The token it came with, over HTTP. */
  token: string | null
}
