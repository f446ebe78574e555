import {
  createRemoteOperations,
  type RemoteOperations,
  type Reply,
  type Send,
} from '../../../src/client/remote-operations.ts'
import { BeckonError } from '../../../src/protocol/errors.ts'
import { noteServerTime } from '../server-time.ts'
import { readOptions, takeEarly } from './early.ts'

/** A refusal by the server, in its own words. */
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

/** There was no reply from the server. */
export class Unreachable extends Error {}

const remote = createRemoteOperations(send)

/** Calls an operation of the table, as the hub's verb of that name is called. */
export const call: RemoteOperations['call'] = async (name, args, options) =>
  remote.call(name, args, options).catch(error => {
    // Text that cannot be an id was not even sent: nothing has that id.
    throw error instanceof BeckonError ? new Refusal(404, error.code, error.message, null) : error
  })

async function send(...[{ method }, path, body, { signal, keepalive = false }]: Parameters<Send>): Promise<Reply> {
  const early = method === 'GET' ? takeEarly(path) : undefined
  const sent = early ?? fetch(path, { ...optionsFor(method, body), keepalive, ...(signal ? { signal } : {}) })
  const response = await sent.catch(error => {
    if (signal?.aborted) throw error
    throw new Unreachable('The server cannot be reached.')
  })
  // An early answer has waited for the page.
  if (!early) noteServerTime(response.headers.get('date'))
  const text = await response.text()
  if (!response.ok) throw refusalOf(response.status, response.statusText, text)
  return { headers: response.headers, body: parseJson(text) }
}

function optionsFor(method: string, body: unknown): RequestInit {
  const options = readOptions()
  if (method === 'GET') return options
  // The server takes a change from a page as JSON only, even where there is nothing to send.
  const headers = { ...options.headers, 'content-type': 'application/json' }
  return { ...options, method, headers, body: JSON.stringify(body ?? {}) }
}

const signedOutListeners = new Set<() => void>()

/** The listener is called after every reply that says nobody is signed in here any more. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

export function refusalOf(status: number, statusText: string, body: string): Refusal {
  if (status === 401) for (const notify of signedOutListeners) notify()
  const { code = 'unknown', message = statusText, details = null } = errorIn(parseJson(body))
  return new Refusal(status, code, message, details)
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function errorIn(document: unknown): { code?: string; message?: string; details?: unknown } {
  const { error } = (document ?? {}) as { error?: object }
  return error ?? {}
}
