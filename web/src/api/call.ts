import { createConnection } from '../../../src/client/connection.ts'
import { Refused } from '../../../src/client/refusal.ts'
import { createRemoteOperations, type RemoteOperations } from '../../../src/client/remote-operations.ts'
import { BeckonError } from '../../../src/protocol/errors.ts'
import { base } from '../base.ts'
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

// A person sees at once what failed, and decides whether to try again.
const connection = createConnection({ url: '', token: null, fetch: fetchAsPage, pauses: [] })
const remote = createRemoteOperations(connection.send)

/** Calls an operation of the table, as the hub's verb of that name is called. */
export const call: RemoteOperations['call'] = async (name, args, options) =>
  remote.call(name, args, options).catch(error => {
    throw inPageWords(error)
  })

/** The bare response, for a body that is not JSON. */
export const open: typeof connection.open = async (...args) =>
  connection.open(...args).catch(error => {
    throw inPageWords(error)
  })

async function fetchAsPage(path: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const early = init.method === 'GET' ? takeEarly(String(path)) : undefined
  const response = await (early ?? fetch(base + String(path), asPage(init)))
  if (!early) noteServerTime(response.headers.get('date'))
  if (response.status === 401) notifySignedOut()
  return response
}

function asPage(init: RequestInit): RequestInit {
  const { headers, ...options } = readOptions()
  const page = { ...init, ...options, headers: { ...(headers as object), ...(init.headers as object) } }
  if (init.method === undefined || init.method === 'GET') return page
  // The server takes a change from a page as JSON only, even where there is nothing to send.
  return { ...page, headers: { 'content-type': 'application/json', ...page.headers }, body: init.body ?? '{}' }
}

function inPageWords(error: unknown): unknown {
  if (error instanceof Refused) {
    const { status, said, message, details } = error
    return new Refusal(status, said ?? 'unknown', message, details)
  }
  if (!(error instanceof BeckonError)) return error
  if (error.code === 'unreachable') return new Unreachable('The server cannot be reached.')
  // Text that cannot be an id was not even sent: nothing has that id.
  return new Refusal(404, error.code, error.message, null)
}

const signedOutListeners = new Set<() => void>()

/** The listener is called after every reply that says nobody is signed in here any more. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

function notifySignedOut() {
  for (const notify of signedOutListeners) notify()
}

/** For a call that `fetch` cannot make. */
export function refusalOf(status: number, statusText: string, body: string): Refusal {
  if (status === 401) notifySignedOut()
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
