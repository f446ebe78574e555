import { BeckonError, type ErrorCode, errorCodes } from '../protocol/index.ts'

// Nothing of Node here: a browser uses these modules too.

interface CallOptions {
  body?: unknown
  signal?: AbortSignal | undefined
  /** Whether doing it twice does it once, so that it may be sent again when no reply came. */
  repeatable?: boolean
}

interface Answered {
  status: number
  headers: Headers
  body: unknown
}

export interface Caller {
  /** Sends a call and gives back what was answered; a refusal is thrown as the fault that it is. */
  call(method: string, path: string, options?: CallOptions): Promise<Answered>
  /** The bare response, for a body that is read as it comes. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
  close(): void
  readonly closed: AbortSignal
}

interface Options {
  url: string
  /** Null in our own page: there the cookie says who it is. */
  token: string | null
  fetch: typeof fetch
}

const pauses = [100, 400, 1_000]
// Longer than any wait is held by us.
const patience = 75_000

export function createCaller({ url, token, fetch }: Options): Caller {
  const base = url.replace(/\/+$/, '')
  const closing = new AbortController()
  const identity: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return { call, open, close: () => closing.abort(closedFault()), closed: closing.signal }

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answered> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(method, path, options)
      } catch (error) {
        const pause = pauses[tries]
        if (pause === undefined || !mayRepeat(error, options.repeatable ?? method !== 'POST')) throw error
        await sleep(pause, signalOf(options.signal))
      }
    }
  }

  async function once(method: string, path: string, { body, signal }: CallOptions): Promise<Answered> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await send(path, {
      method,
      headers: { accept: 'application/json', ...identity, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signalOf(signal), AbortSignal.timeout(patience)]),
    })
    const document = await response.json().catch(() => null)
    if (!response.ok) throw faultOf(response.status, document)
    return { status: response.status, headers: response.headers, body: document }
  }

  async function open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const response = await send(path, { headers: { ...identity, ...headers }, signal: signalOf(signal) })
    if (!response.ok) throw faultOf(response.status, await response.json().catch(() => null))
    return response
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, { ...init, redirect: 'error' })
    } catch (error) {
      // Told to stop, by whoever it was, and not only out of patience.
      const reason = init.signal?.aborted ? init.signal.reason : null
      if (reason && reason.name !== 'TimeoutError') throw reason
      throw new Unreachable(base, error)
    }
  }

  function signalOf(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  }
}

/** No reply came. Whether anything was done is known only where not even a connection was made. */
class Unreachable extends BeckonError {
  readonly refused: boolean

  constructor(url: string, cause: unknown) {
    const code = codeOf(cause)
    super('unreachable', `The hub at ${url} cannot be reached${code ? ` (${code})` : ''}. Is beckon serve running?`)
    this.refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
  }
}

/** Whether it is worth trying again: the server was away, or said that it was too busy to begin. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    (error instanceof BeckonError && ['closed', 'busy', 'unreachable'].includes(error.code))
  )
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (error instanceof Unreachable) return repeatable || error.refused
  return isPassing(error)
}

function closedFault(): BeckonError {
  return new BeckonError('closed', 'The hub was closed.')
}

function faultOf(status: number, document: unknown): BeckonError {
  const { code, message, details } = (document as { error?: Record<string, unknown> } | null)?.error ?? {}
  const known = errorCodes.find(one => one === code)
  // It is the server that is being stopped, and not this hub that was closed.
  if (known === 'closed') return new BeckonError('unreachable', String(message))
  if (known) return new BeckonError(known, String(message), details ?? null)
  return new BeckonError(guess(status), `The server answered with the status ${status}. Is it a hub?`)
}

/** Something between us and the hub answered in its place. */
function guess(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'not_allowed'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many'
  return 'unreachable'
}

function codeOf(cause: unknown): string | null {
  const inner = cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined
  return typeof inner?.code === 'string' ? inner.code : null
}
