import { BeckonError, isTemporary } from '../protocol/errors.ts'
import type { Operation } from '../protocol/operations/index.ts'
import { type Outage, reportAfter, watchForOutage } from './outage.ts'
import { Refused, refusalOf } from './refusal.ts'
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
  /** How long to wait before a call is sent again, in milliseconds. */
  pauses?: readonly number[]
  /** Hears, once for each, that the server has not answered for a while. */
  onOutage?: ((outage: Outage) => void) | undefined
}

const fewPauses = [100, 400, 1_000]
// Longer than the longest wait that we ask for.
const timeout = 75_000
// A larger body may take a while to arrive.
const smallBody = 100_000

export function createConnection({ url, token, fetch, pauses = fewPauses, onOutage }: Options): Connection {
  const base = url.replace(/\/+$/, '')
  const closing = new AbortController()
  const outages = watchForOutage(onOutage ? until => onOutage({ url: withoutPassword(base), until }) : null)
  closing.signal.addEventListener('abort', outages.stop)
  const identity: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return { send, open, close: () => closing.abort(closedFault()), closed: closing.signal }

  async function send(operation: Operation, path: string, body: unknown, options: SendOptions): Promise<Reply> {
    const { repeatable = operation.repeatable, signal } = options
    for (let tries = 0; ; tries += 1) {
      try {
        return await sendOnce(operation.method, path, body, options)
      } catch (error) {
        const pause = pauses[tries]
        if (pause === undefined || !maySendAgain(error, repeatable)) {
          if (options.until === undefined) outages.stop()
          throw error
        }
        await sleep(pauseAfter(error, pause), orClosed(signal))
      }
    }
  }

  async function sendOnce(
    method: string,
    path: string,
    body: unknown,
    { signal, keepalive = false, until }: SendOptions,
  ): Promise<Reply> {
    const sent = body === undefined ? null : bodyOf(body)
    const either = AbortSignal.any([orClosed(signal), AbortSignal.timeout(timeout)])
    const init = {
      method,
      headers: { accept: 'application/json', ...identity, ...(sent ? { 'content-type': sent.type } : {}) },
      ...(sent ? { body: sent.body } : {}),
      ...(keepalive ? { keepalive } : {}),
      signal: either,
    }
    const isHeld = until !== undefined || (sent?.body.length ?? 0) > smallBody
    const response = await request(path, init, { until, isHeld })
    // Read before it is parsed: a body that was cut off counts as no reply.
    const text = await response.text().catch(error => {
      throw noReply(error, either)
    })
    const document = parseDocument(text)
    if (!response.ok) throw refusalOf(response, document)
    if (document === null) throw new NotAHub(`${withoutPassword(base)} did not answer in JSON. Is it a hub?`)
    return { headers: response.headers, body: document }
  }

  async function open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const init = { headers: { ...identity, ...headers }, signal: orClosed(signal) }
    const response = await request(path, init, { isHeld: true })
    if (!response.ok) throw refusalOf(response, await response.json().catch(() => null))
    return response
  }

  async function request(path: string, init: RequestInit, { until = null, isHeld }: Patience): Promise<Response> {
    const sentAt = performance.now()
    const failed = () => outages.failed(sentAt, until)
    const overdue = isHeld ? undefined : setTimeout(failed, reportAfter)
    try {
      // `manual` and not `error`, which Cloudflare's fetch does not know.
      const response = await fetch(`${base}${path}`, { ...init, redirect: 'manual' })
      if (isAway(response)) failed()
      else outages.answered()
      if (!isRedirect(response)) return response
    } catch (error) {
      const reason = noReply(error, init.signal)
      if (reason instanceof Unreachable) outages.failed(isHeld ? performance.now() : sentAt, until)
      throw reason
    } finally {
      clearTimeout(overdue)
    }
    throw new NotAHub(`${withoutPassword(base)} redirects elsewhere. Use the address that it leads to.`)
  }

  /** Why there is none: aborted by somebody, and not by the timeout, or cut off. */
  function noReply(error: unknown, signal: AbortSignal | null | undefined): unknown {
    const reason = signal?.aborted ? signal.reason : null
    return reason && reason.name !== 'TimeoutError' ? reason : new Unreachable(base, error)
  }

  function orClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  }
}

interface Patience {
  until?: number | null | undefined
  /** The server may take its time with the reply. */
  isHeld: boolean
}

/** A proxy replied in place of the server. */
function isAway({ status }: Response): boolean {
  return [502, 503, 504].includes(status)
}

/** A browser hides everything else about it. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)
}

/** Null where it is not a document of a hub. */
function parseDocument(text: string): object | null {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' ? document : null
  } catch {
    return null
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

/** Something else replied, and would reply the same again. */
class NotAHub extends BeckonError {
  constructor(message: string) {
    super('unreachable', message)
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

/** Whether the same call may succeed a moment later. Not where the caller must look again first. */
export function mayRetry(error: unknown): error is BeckonError {
  if (error instanceof NotAHub || (error instanceof Refused && !error.mayPass)) return false
  return isTemporary(error) && error.code !== 'changed'
}

/** How long to wait before that: never less than the server asks for, and not as long as everybody else. */
export function pauseAfter(error: unknown, pause: number): number {
  const asked = error instanceof Refused ? error.retryAfter : 0
  return Math.max(pause, asked * (1 + Math.random() / 4))
}

/** What may have been carried out is sent again only where that is the same as once. */
function maySendAgain(error: unknown, repeatable: boolean): boolean {
  if (error instanceof Unreachable && !error.refused && !repeatable) return false
  if (error instanceof Refused && error.mayBeDone && !repeatable) return false
  return mayRetry(error)
}

function closedFault(): BeckonError {
  return new BeckonError('closed', 'The hub was closed.')
}

function errnoOf(cause: unknown): string | null {
  const inner = cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined
  return typeof inner?.code === 'string' ? inner.code : null
}
