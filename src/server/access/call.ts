/** What a call says about itself before it is carried out. */
export interface Call {
  method: string
  /** The other end of the connection: the caller, or a proxy. */
  remote: string
  header(name: string): string | undefined
}
