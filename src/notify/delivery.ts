/** One POST request, ready to send. */
export interface Delivery {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}
