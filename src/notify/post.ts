import type { Delivery } from './delivery.ts'

/** `gone`: the address does not exist any more. */
export type PostResult =
  | { result: 'delivered'; finding: string }
  | { result: 'refused' | 'gone'; finding: string; retryAfter: number | null }

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const timeout = 10_000

/**
 * Sends it and reads the status. Does not follow redirects: a person chose this address and no other. Findings never
 * contain the address, because many addresses are secrets.
 */
export async function post({ url, headers, body }: Delivery, fetch: Fetch = globalThis.fetch): Promise<PostResult> {
  const refused = (finding: string, retryAfter: number | null = null): PostResult => ({
    result: 'refused',
    finding,
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
    await response.body?.cancel()
    const { status } = response
    const finding = `HTTP ${status}`
    if (status >= 200 && status < 300) return { result: 'delivered', finding }
    if (status === 404 || status === 410) return { result: 'gone', finding, retryAfter: null }
    if (status >= 300 && status < 400) return refused(`${finding}: redirects are not followed`)
    return refused(finding, parseRetryAfter(response.headers.get('retry-after')))
  } catch (error) {
    return refused(describeFailure(error))
  }
}

function parseRetryAfter(header: string | null): number | null {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be reached'
  if (error.name === 'TimeoutError') return `no reply within ${timeout / 1_000} seconds`
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
  return `cannot be reached (${code})`
}
