import { noteServerTime } from '../server-time.ts'
import { pageHeader } from './page-secret.ts'

/** What the server said no to, in its own words. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** The server was not reached at all. */
export class Unreachable extends Error {}

interface Options {
  body?: unknown
  signal?: AbortSignal
  /** Is sent even though the page is being closed. */
  last?: boolean
}

const signedOut = new Set<() => void>()

/** Hears of every answer that says nobody is signed in here any more. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener)
  return () => signedOut.delete(listener)
}

export async function call<T>(method: string, path: string, { body, signal, last = false }: Options = {}): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...pageHeader(),
      accept: 'application/json',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    credentials: 'same-origin',
    keepalive: last,
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  }).catch(error => {
    if (signal?.aborted) throw error
    throw new Unreachable('The server cannot be reached.')
  })
  noteServerTime(response.headers.get('date'))
  const text = await response.text()
  if (response.ok) return parsed(text) as T
  throw refusalOf(response.status, response.statusText, text)
}

/** What the server said no with. */
export function refusalOf(status: number, statusText: string, body: string): Refusal {
  if (status === 401) for (const tell of signedOut) tell()
  const { code = 'unknown', message = statusText, details = null } = errorOf(parsed(body))
  return new Refusal(status, code, message, details)
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function errorOf(document: unknown): { code?: string; message?: string; details?: unknown } {
  const { error } = (document ?? {}) as { error?: object }
  return error ?? {}
}
