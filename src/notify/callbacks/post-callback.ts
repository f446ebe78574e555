import { type RequestOptions, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { SendResult } from '../channel.ts'
import type { Delivery } from '../post.ts'
import { readRetryAfter } from '../read-reply.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import { type Address, type Lookup, resolve } from './resolve.ts'

interface Options {
  allowed: AllowedHosts
  lookup?: Lookup
  /** Milliseconds for all of it: name, connection, TLS and the status. */
  timeout?: number
  /** Certificates to trust, besides those that Node knows. */
  tls?: Pick<RequestOptions, 'ca'>
}

const usualTimeout = 10_000

/**
 * Calls an asker's address. The agent chose it, so the list is read and the name resolved again at each try, and the
 * connection goes to an address that was checked. Redirects are not followed, and of the reply only the status is read.
 */
export async function postCallback(delivery: Delivery, options: Options): Promise<SendResult> {
  const { allowed, lookup, timeout = usualTimeout, tls = {} } = options
  const url = new URL(delivery.url)
  const signal = AbortSignal.timeout(timeout)
  try {
    const found = await orAborted(resolve(url, allowed, lookup), signal)
    if ('problem' in found) return refused(found.problem)
    const { status, retryAfter } = await send(url, delivery, { ...tls, signal, lookup: pinned(found.addresses) })
    return read(status, retryAfter)
  } catch (error) {
    if (signal.aborted) return refused(`no reply within ${timeout / 1_000} seconds`)
    return refused(`cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'no reply'})`)
  }
}

/** Gives the addresses that were checked, whatever the name means by now. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

function send(url: URL, { headers, body }: Delivery, options: RequestOptions) {
  return new Promise<{ status: number; retryAfter: string | null }>((resolve, reject) => {
    const call = request(url, {
      ...options,
      method: 'POST',
      headers: { 'user-agent': 'Beckon', ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own: one from a pool may lead to an address from before.
      agent: false,
    })
    call.on('error', reject)
    // Without an error where the reply is neither that nor a response, such as HTTP 101.
    call.on('close', () => reject(new Error('The connection was closed.')))
    call.on('response', response => {
      // However much it would send: nothing of it is read.
      response.destroy()
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null })
    })
    call.end(body)
  })
}

function read(status: number, retryAfter: string | null): SendResult {
  const finding = `HTTP ${status}`
  if (status >= 200 && status < 300) return { result: 'delivered', finding, reply: '', handle: null }
  if (status === 410) return { result: 'gone', finding, reply: '', retryAfter: null }
  if (status >= 300 && status < 400) return refused(`${finding}: redirects are not followed`)
  return refused(finding, readRetryAfter(retryAfter))
}

function refused(finding: string, retryAfter: number | null = null): SendResult {
  return { result: 'refused', finding, reply: '', retryAfter }
}

/** A lookup cannot be stopped, but nobody need wait for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])
}
