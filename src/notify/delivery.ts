/** One POST, ready to go. */
export interface Parcel {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}
