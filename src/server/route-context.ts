import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { SharedHub } from '../hub/shared-hub.ts'
import type { Checkpoint, LogPage, ReadLogOptions, Request, RestoredFiles, RestorePlan } from '../protocol/index.ts'
import type { HandledName, Operation } from '../protocol/operations/index.ts'
import type { Addresses } from './access/addresses.ts'
import type { Authentication } from './access/authenticate.ts'
import type { Call } from './access/call.ts'
import type { SignedInCaller, SignedInCallers } from './access/callers.ts'
import type { ClientAddress } from './access/client-address.ts'
import type { SignInThrottle } from './access/sign-in-throttle.ts'
import type { ServerLimits } from './limits.ts'
import type { McpCalls } from './live/mcp-calls.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { CallObserver } from './observe-calls.ts'
import { parseJson, readBytes, refuseLength } from './read-json.ts'
import type { Readiness } from './readiness.ts'
import type { StaticPage } from './static-page.ts'

/** What every route is given. */
export interface RouteContext {
  hub: SharedHub
  operations: readonly Operation[]
  addresses: Addresses
  authentication: Authentication
  callers: SignedInCallers
  signInThrottle: SignInThrottle
  clientAddress: ClientAddress
  staticPage: StaticPage
  metrics: Metrics
  calls: CallObserver
  log: Log
  readiness: Readiness
  version: string
  /** Called before a caller asks; the result with the id of the stored request: the caller will wait for it next. */
  trackAsk: (caller: SignedInCaller) => (id: string) => void
  /** Sends a settled request to those who wait for it, at once. */
  wakeWaiters: (request: Request) => void
  limits: ServerLimits
  /** Refuses a caller that asks too fast. */
  limitRate: (caller: SignedInCaller, bytes: number) => void
  /** Null where the server does not speak MCP. */
  mcp: McpCalls | null
  runLogs: LocalRunLogs | null
  saveUpload: SaveUpload | null
  restorer: Restorer | null
  /** Null where the server takes no calls of chats. */
  answerCallback: AnswerCallback | null
}

/** Logs of the runs that are supervised on this machine. */
export interface LocalRunLogs {
  has(run: string): boolean
  /** `ended`: nobody writes it any more, whether or not it was closed properly. */
  read(run: string, options: ReadLogOptions & { ended: boolean }): Promise<LogPage>
}

/** Restores files of runs on this machine. */
export interface Restorer {
  plan(checkpoint: Checkpoint): Promise<RestorePlan>
  restore(checkpoint: Checkpoint, options: { force: boolean }): Promise<RestoredFiles>
}

/** Saves a person's file where the agent that asked for it can read it. */
export type SaveUpload = (
  request: Request,
  file: { name: string; input: () => Promise<AsyncIterable<Uint8Array>> },
) => Promise<{ path: string; discard(): Promise<void> }>

/** A call of a chat, which proves itself in its own way: neither a token nor a cookie counts. */
export type AnswerCallback = (call: {
  method: string
  path: string
  header(name: string): string | undefined
  body(): Promise<Buffer>
}) => Promise<{ status: number; headers?: Record<string, string>; body: string; isForged?: boolean }>

export type Env = { Bindings: Partial<HttpBindings>; Variables: { caller: SignedInCaller; maxBody: number } }

export type Handler = (c: Context<Env>) => Response | Promise<Response>
/** The operations that need more than a call of the hub's verb. */
export type Handlers = Record<HandledName, Handler>

export const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A page on another port of this machine is of the same site, so its calls carry our cookie.
  'cross-origin-resource-policy': 'same-origin',
}

export function callOf(c: Context<Env>): Call {
  return {
    method: c.req.method,
    remote: c.env?.incoming?.socket.remoteAddress ?? '',
    header: name => c.req.header(name),
  }
}

/** The document that was sent. */
export async function bodyOf(c: Context<Env>, most = c.get('maxBody')): Promise<unknown> {
  const length = c.req.header('content-length')
  refuseLength(length, most)
  if (length !== undefined) return parseJson(await c.req.text())
  const body = c.req.raw.body
  return body ? parseJson(String(await readBytes(body, most))) : {}
}

export function reply(c: Context<Env>, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) {
  return c.json(body, status, { ...apiHeaders, ...headers })
}
