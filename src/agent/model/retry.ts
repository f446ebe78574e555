import { setTimeout as wait } from 'node:timers/promises'

// Rate limits, overload and broken connections pass; a wrong key or a bad request does not.

export interface Retrying {
  readonly signal: AbortSignal
  readonly mostTries: number
  onRetry(about: { attempt: number; inMs: number; why: string }): void
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export async function withRetries<T>(
  work: () => Promise<T>,
  { signal, mostTries, onRetry, sleep = pause }: Retrying,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || attempt >= mostTries || !isPassing(error)) throw error
      const inMs = patience(error, attempt)
      onRetry({ attempt, inMs, why: describeFault(error) })
      await sleep(inMs, signal)
    }
  }
}

interface Fault {
  name?: string
  message?: string
  code?: string
  statusCode?: number
  isRetryable?: boolean
  responseHeaders?: Record<string, string>
  data?: { error?: { type?: string; message?: string } }
  cause?: unknown
  type?: string
}

const passingTypes = /overloaded|rate_limit|api_error|server_error|timeout|unavailable/i
const passingCodes = /^(ECONN|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|UND_ERR)/

function isPassing(error: unknown): boolean {
  const fault = faultOf(error)
  if (fault.isRetryable !== undefined) return fault.isRetryable
  if (passingTypes.test(fault.data?.error?.type ?? fault.type ?? '')) return true
  if (passingCodes.test(fault.code ?? '') || passingCodes.test(faultOf(fault.cause).code ?? '')) return true
  return /fetch failed|terminated|socket|network|overloaded/i.test(fault.message ?? '')
}

/** The model says that the conversation is longer than it can read. */
export function isTooLong(error: unknown): boolean {
  return /too long|context[ _]length|context[ _]window|maximum context|too many tokens/i.test(describeFault(error))
}

const longest = 60_000

/** As long as the provider wants, or twice as long each time. */
function patience(error: unknown, attempt: number): number {
  const headers = faultOf(error).responseHeaders ?? {}
  const ms = Number(headers['retry-after-ms']) || Number(headers['retry-after']) * 1_000
  return Math.min(longest, Number.isFinite(ms) && ms >= 0 ? ms : 1_000 * 2 ** (attempt - 1))
}

/** One line that a person can read, without the request and its headers. */
export function describeFault(error: unknown): string {
  const fault = faultOf(error)
  const message = fault.data?.error?.message ?? fault.message ?? 'unknown error'
  const status = fault.statusCode ? ` (HTTP ${fault.statusCode})` : ''
  const cause = faultOf(fault.cause).code ?? ''
  return `${message.split('\n')[0]?.slice(0, 500)}${status}${cause ? ` [${cause}]` : ''}`
}

function faultOf(error: unknown): Fault {
  return typeof error === 'object' && error !== null ? (error as Fault) : { message: String(error ?? '') }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal })
}
