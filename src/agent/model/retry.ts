import { setTimeout as wait } from 'node:timers/promises'

// Rate limits, overload and broken connections are transient; a wrong key or a bad request is not.

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly maxTries: number
  onRetry(retry: { attempt: number; inMs: number; why: string }): void
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export async function withRetries<T>(
  work: () => Promise<T>,
  { signal, maxTries, onRetry, sleep = pause }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || attempt >= maxTries || !isTransient(error)) throw error
      const inMs = delayBefore(error, attempt)
      onRetry({ attempt, inMs, why: describeModelError(error) })
      await sleep(inMs, signal)
    }
  }
}

interface ModelError {
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

const transientTypes = /overloaded|rate_limit|api_error|server_error|timeout|unavailable/i
const transientCodes = /^(ECONN|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|UND_ERR)/

function isTransient(error: unknown): boolean {
  const failure = asModelError(error)
  if (failure.isRetryable !== undefined) return failure.isRetryable
  if (transientTypes.test(failure.data?.error?.type ?? failure.type ?? '')) return true
  if (transientCodes.test(failure.code ?? '') || transientCodes.test(asModelError(failure.cause).code ?? ''))
    return true
  return /fetch failed|terminated|socket|network|overloaded/i.test(failure.message ?? '')
}

/** The model says that the conversation is longer than it can read. */
export function isTooLong(error: unknown): boolean {
  return /too long|context[ _]length|context[ _]window|maximum context|too many tokens/i.test(describeModelError(error))
}

const maxDelay = 60_000

/** As long as the provider asks for, or twice as long each time. */
function delayBefore(error: unknown, attempt: number): number {
  const headers = asModelError(error).responseHeaders ?? {}
  const ms = Number(headers['retry-after-ms']) || Number(headers['retry-after']) * 1_000
  return Math.min(maxDelay, Number.isFinite(ms) && ms >= 0 ? ms : 1_000 * 2 ** (attempt - 1))
}

/** One line that a person can read, without the request and its headers. */
export function describeModelError(error: unknown): string {
  const failure = asModelError(error)
  const message = failure.data?.error?.message ?? failure.message ?? 'unknown error'
  const status = failure.statusCode ? ` (HTTP ${failure.statusCode})` : ''
  const cause = asModelError(failure.cause).code ?? ''
  return `${message.split('\n')[0]?.slice(0, 500)}${status}${cause ? ` [${cause}]` : ''}`
}

function asModelError(error: unknown): ModelError {
  return typeof error === 'object' && error !== null ? (error as ModelError) : { message: String(error ?? '') }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal })
}
