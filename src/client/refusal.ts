import { BeckonError, type ErrorCode, errorCodes } from '../protocol/errors.ts'

/** The server refused a call. What it said exactly is for the page, which has its own words for it. */
export class Refused extends BeckonError {
  readonly status: number
  /** The code in its reply; null where something else replied than a hub. */
  readonly said: string | null
  /** How long the server wants us to wait before the same call, in milliseconds; 0 where it did not say. */
  readonly retryAfter: number

  constructor(response: Response, said: string | null, code: ErrorCode, message: string, details: unknown = null) {
    super(code, message, details)
    this.status = response.status
    this.said = said
    this.retryAfter = readRetryAfter(response.headers.get('retry-after'))
  }

  /** False where something else replied than a hub, and would say the same again: a wrong address does not pass. */
  get mayPass(): boolean {
    return this.said !== null || passing.includes(this.status)
  }

  /** The call may have been carried out: a proxy lost the reply, or the hub failed in the middle. */
  get mayBeDone(): boolean {
    return this.status === 500 || (this.said === null && ![429, 503].includes(this.status))
  }
}

const passing = [408, 425, 429, 500, 502, 503, 504]

export function refusalOf(response: Response, document: unknown): Refused {
  const { code, message, details } = (document as { error?: Record<string, unknown> } | null)?.error ?? {}
  const known = errorCodes.find(one => one === code)
  const said = typeof code === 'string' ? code : null
  // The server is stopping, and another one may soon be there; or a proxy that lost a node never sent the whole call (408).
  // This hub was not closed, and nothing is wrong with the call.
  if (known === 'closed' || known === 'replaced' || (known && response.status === 408))
    return new Refused(response, said, 'unreachable', String(message))
  if (known) return new Refused(response, said, known, String(message), details ?? null)
  const { status } = response
  return new Refused(response, said, guessCode(status), `The server replied with the status ${status}. Is it a hub?`)
}

/** Something between us and the hub replied in its place. */
function guessCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'not_allowed'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many'
  return 'unreachable'
}

const longestRetryAfter = 60_000

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number {
  if (!header) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return ms > 0 ? Math.min(ms, longestRetryAfter) : 0
}
