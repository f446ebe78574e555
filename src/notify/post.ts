import type { Parcel } from './delivery.ts'

/** What became of a message. `gone`: there is nobody at this address any more. */
export type Posted =
  | { result: 'taken'; finding: string }
  | { result: 'refused' | 'gone'; finding: string; retryAfter: number | null }

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const patience = 10_000

/**
 * Sends it and reads the status. A redirect is not followed: a person chose this address and no other. What is told of a
 * failure has no address in it, for many of them are secrets.
 */
export async function post({ url, headers, body }: Parcel, fetch: Fetch = globalThis.fetch): Promise<Posted> {
  const refused = (finding: string, retryAfter: number | null = null): Posted => ({
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
      signal: AbortSignal.timeout(patience),
    })
    await response.body?.cancel()
    const { status } = response
    const finding = `HTTP ${status}`
    if (status >= 200 && status < 300) return { result: 'taken', finding }
    if (status === 404 || status === 410) return { result: 'gone', finding, retryAfter: null }
    if (status >= 300 && status < 400) return refused(`${finding}: redirects are not followed`)
    return refused(finding, secondsIn(response.headers.get('retry-after')))
  } catch (error) {
    return refused(causeOf(error))
  }
}

function secondsIn(header: string | null): number | null {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be reached'
  if (error.name === 'TimeoutError') return `no reply within ${patience / 1_000} seconds`
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
  return `it cannot be reached (${code})`
}
