import { BeckonError, type ErrorCode, errorCodes, isTemporary } from '../protocol/index.ts'
import type { Operation } from '../protocol/operations/index.ts'
import type { Reply, Send, SendOptions } from './remote-operations.ts'

// Nothing of Node here: a browser uses these modules too.

export interface Connection {
  send: Send
  /** The bare response, for a body that is read as it arrives. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
  close(): void
  readonly closed: AbortSignal
}

interface Options {
  url: string
  /** Null where the server knows the caller by other means. */
  token: string | null
  fetch: typeof fetch
}

const pauses = [100, 400, 1_000]
// Longer than the longest wait that we ask for.
const timeout = 75_000

export function createConnection({ url, token, fetch }: Options): Connection {
  const base = url.replace(/\/+$/, '')
  const closing = new AbortController()
  const identity: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return { send, open, close: () => closing.abort(closedFault()), closed: closing.signal }

  async function send(operation: Operation, path: string, body: unknown, options: SendOptions): Promise<Reply> {
    const { repeatable = operation.repeatable, signal } = options
    for (let tries = 0; ; tries += 1) {
      try {
        return await sendOnce(operation.method, path, body, signal)
      } catch (error) {
        const pause = pauses[tries]
        if (pause === undefined || !maySendAgain(error, repeatable)) throw error
        await sleep(pause, orClosed(signal))
      }
    }
  }

  async function sendOnce(
    method: string,
    path: string,
    body: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const sent = body === undefined ? null : bodyOf(body)
    const response = await request(path, {
      method,
      headers: { accept: 'application/json', ...identity, ...(sent ? { 'content-type': sent.type } : {}) },
      ...(sent ? { body: sent.body } : {}),
      signal: AbortSignal.any([orClosed(signal), AbortSignal.timeout(timeout)]),
    })
    const document = await response.json().catch(() => null)
    if (!response.ok) throw faultOf(response.status, document)
    if (document === null) throw new BeckonError('unreachable', `${base} did not answer in JSON. Is it a hub?`)
    return { headers: response.headers, body: document }
  }

  async function open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const response = await request(path, { headers: { ...identity, ...headers }, signal: orClosed(signal) })
    if (!response.ok) throw faultOf(response.status, await response.json().catch(() => null))
    return response
  }

  async function request(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, { ...init, redirect: 'error' })
    } catch (error) {
      // Aborted by somebody, and not by the timeout.
      const reason = init.signal?.aborted ? init.signal.reason : null
      if (reason && reason.name !== 'TimeoutError') throw reason
      throw new Unreachable(base, error)
    }
  }

  function orClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  }
}

/** A file is sent as it is, everything else as JSON. */
function bodyOf(body: unknown): { type: string; body: string | Uint8Array<ArrayBuffer> } {
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', body: new Uint8Array(body) }
  return { type: 'application/json', body: JSON.stringify(body) }
}

/** No reply came. Whether the server did anything is known only where there was no connection at all. */
class Unreachable extends BeckonError {
  readonly refused: boolean

  constructor(url: string, cause: unknown) {
    const code = errnoOf(cause)
    super(
      'unreachable',
      `The hub at ${withoutPassword(url)} cannot be reached${code ? ` (${code})` : ''}. Is beckon serve running?`,
    )
    this.refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
  }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//')
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

/** Whether the same call may succeed a moment later. Not after a 429, or where the caller must look again first. */
export function mayRetry(error: unknown): boolean {
  return isTemporary(error) && error.code !== 'too_many' && error.code !== 'changed'
}

function maySendAgain(error: unknown, repeatable: boolean): boolean {
  if (error instanceof Unreachable) return repeatable || error.refused
  return mayRetry(error)
}

function closedFault(): BeckonError {
  return new BeckonError('closed', 'The hub was closed.')
}

function faultOf(status: number, document: unknown): BeckonError {
  const { code, message, details } = (document as { error?: Record<string, unknown> } | null)?.error ?? {}
  const known = errorCodes.find(one => one === code)
  // The server is stopping; this hub was not closed, and another server may soon be there.
  if (known === 'closed' || known === 'replaced') return new BeckonError('unreachable', String(message))
  if (known) return new BeckonError(known, String(message), details ?? null)
  return new BeckonError(guessCode(status), `The server replied with the status ${status}. Is it a hub?`)
}

/** Something between us and the hub replied in its place. */
function guessCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'not_allowed'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many'
  return 'unreachable'
}

function errnoOf(cause: unknown): string | null {
  const inner = cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined
  return typeof inner?.code === 'string' ? inner.code : null
}
