import type { Fetch, SendResult } from './channel.ts'
import { readRetryAfter, readStart } from './read-reply.ts'

/** One POST request, ready to send. */
export interface Delivery {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

const timeout = 10_000
// More than any service that we read replies of says.
const longestReply = 64_000

/**
 * Sends it and reads the reply. Does not follow redirects: a person chose this address and no other. Findings never
 * contain the address, because many addresses are secrets.
 */
export async function post({ url, headers, body }: Delivery, fetch: Fetch = globalThis.fetch): Promise<SendResult> {
  const refused = (finding: string, reply = '', retryAfter: number | null = null): SendResult => ({
    result: 'refused',
    finding,
    reply,
    retryAfter,
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'Beckon', ...headers },
      body: body as NonNullable<RequestInit['body']>,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const reply = await readStart(response, longestReply)
    const { status } = response
    const finding = `HTTP ${status}`
    if (status >= 200 && status < 300) return { result: 'delivered', finding, reply, handle: null }
    if (status === 404 || status === 410) return { result: 'gone', finding, reply, retryAfter: null }
    if (status >= 300 && status < 400) return refused(`${finding}: redirects are not followed`, reply)
    return refused(finding, reply, readRetryAfter(response.headers.get('retry-after')))
  } catch (error) {
    return refused(describeFailure(error))
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be reached'
  if (error.name === 'TimeoutError') return `no reply within ${timeout / 1_000} seconds`
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
  return `cannot be reached (${code})`
}
