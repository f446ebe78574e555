import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { SharedHub } from '../hub/access.ts'
import { isForPeople, type Request } from '../protocol/index.ts'
import type { Addresses } from './access/addresses.ts'
import type { Admission, Call } from './access/authenticate.ts'
import type { Visitor, Visitors } from './access/callers.ts'
import type { Slowing } from './access/sign-in-throttle.ts'
import { HttpFault } from './errors.ts'
import type { Judge } from './judge.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { parseJson, readBody, refuseLength } from './read-json.ts'
import type { Shell } from './static-page.ts'

/** What every route is given. */
export interface Parts {
  hub: SharedHub
  addresses: Addresses
  admission: Admission
  visitors: Visitors
  slowing: Slowing
  shell: Shell
  metrics: Metrics
  log: Log
  version: string
  /** Whoever asked waits next. */
  asking: (visitor: Visitor) => (id: string) => void
  /** Goes to those who wait, at once. */
  settled: (request: Request) => void
  /** Refuses whoever asks too fast. */
  pace: (visitor: Visitor, bytes: number) => void
  /** Where the logs of runs lie; null where this server has none. */
  home: string | null
  /** Judges a person's own version of a command; null where this server cannot. */
  judge: Judge | null
}

export type Env = { Bindings: Partial<HttpBindings>; Variables: { visitor: Visitor } }

export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A page of another port of this machine is of the same site, and gets the cookie sent along.
  'cross-origin-resource-policy': 'same-origin',
}

export function callOf(c: Context<Env>): Call {
  return {
    method: c.req.method,
    remote: c.env?.incoming?.socket.remoteAddress ?? '',
    header: name => c.req.header(name),
  }
}

/** For what is no verb of the hub, and so not guarded by it. */
export function refuseAgents({ grant }: Pick<Visitor, 'grant'>): void {
  if (!isForPeople(grant.scope))
    throw new HttpFault(403, 'not_allowed', 'This is not for agents: it needs the scope answer.')
}

/** For its supervisor and for people. */
export function refuseAskers({ grant }: Pick<Visitor, 'grant'>): void {
  if (grant.scope === 'ask') throw new HttpFault(403, 'not_allowed', 'This is not for agents: it needs the scope run.')
}

/** The document that was sent. */
export async function bodyOf(c: Context<Env>): Promise<unknown> {
  const length = c.req.header('content-length')
  refuseLength(length)
  if (length !== undefined) return parseJson(await c.req.text())
  const body = c.req.raw.body
  return body ? parseJson(await readBody(body)) : {}
}

export function reply(c: Context<Env>, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) {
  return c.json(body, status, { ...apiHeaders, ...headers })
}

/** Without what was not given: `undefined` is no value. */
export function given<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
