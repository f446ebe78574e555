import { type AskInput, invalid, type Request, type Settlement } from '../protocol/index.ts'
import { readArguments } from '../protocol/operations/arguments.ts'
import type { Operation } from '../protocol/operations/index.ts'
import { findVerb, type Verb } from '../protocol/operations/verbs.ts'
import type { SignedInCaller } from './access/callers.ts'
import { lostRace } from './errors.ts'
import { checkedBody } from './read-call.ts'
import type { RouteContext } from './route-context.ts'

// Asking and settling, apart from how the call arrived: through the app, or on the fast path beside it.

export interface RequestReply {
  status: 200 | 201
  headers: Record<string, string>
  request: Request
}

interface SentAsk {
  bytes: number
  read: () => unknown
  idempotencyKey: string | undefined
}

/** Refuses a caller that asks too fast before anything of the ask is read. */
export async function ask(context: RouteContext, caller: SignedInCaller, sent: SentAsk): Promise<RequestReply> {
  context.limitRate(caller, sent.bytes)
  const body = await sent.read()
  const noteRaised = context.trackAsk(caller)
  const { request, joined } = await caller.hub.raiseOrJoin(withKey(body, sent.idempotencyKey))
  if (!joined) noteRaised(request.id)
  const location = `${context.addresses.base}/api/requests/${request.id}`
  return { status: joined ? 200 : 201, headers: { location }, request }
}

/** Any operation that settles a request. */
export async function settle(
  context: RouteContext,
  caller: SignedInCaller,
  operation: Operation,
  id: string,
  body: unknown,
): Promise<RequestReply> {
  const args = readArguments(operation, { params: { id }, body: checkedBody(operation, body), query: {} })
  const settlement = (await (findVerb(caller.hub, operation.name) as Verb)(...args)) as Settlement
  const { won, replay, request, kept } = settlement
  if (won) context.wakeWaiters(request)
  else if (!replay) throw lostRace(settlement)
  const headers = {
    ...(replay ? { 'beckon-replay': 'true' } : {}),
    ...(kept === undefined ? {} : { 'beckon-kept': encodeURIComponent(kept) }),
  }
  return { status: 200, headers, request }
}

function withKey(body: unknown, idempotencyKey: string | undefined): AskInput {
  if (idempotencyKey === undefined || typeof body !== 'object' || body === null) return body as AskInput
  const key = (body as { key?: unknown }).key ?? idempotencyKey
  if (key !== idempotencyKey) throw invalid([{ path: 'key', message: 'differs from the header Idempotency-Key' }])
  return { ...body, key } as AskInput
}
