import { type AskInput, invalid, type Request, type Settlement } from '../protocol/index.ts'
import type { Visitor } from './access/callers.ts'
import { editOf, refuseBadEdit } from './edits.ts'
import { lost } from './errors.ts'
import type { Parts } from './route-context.ts'

// The calls of every cycle, apart from the way in which they came: most come by the quick way, past the app.

export interface Spoken {
  status: 200 | 201
  headers: Record<string, string>
  request: Request
}

/** Whoever asks too fast is told so before anything of it is read. */
export async function ask({ pace, asking }: Parts, visitor: Visitor, { bytes, read, key }: Asked): Promise<Spoken> {
  pace(visitor, bytes)
  const body = await read()
  const remember = asking(visitor)
  const { request, joined } = await visitor.hub.raiseOrJoin(withKey(body, key))
  if (!joined) remember(request.id)
  return { status: joined ? 200 : 201, headers: { location: `/api/requests/${request.id}` }, request }
}

interface Asked {
  bytes: number
  read: () => unknown
  key: string | undefined
}

export const settlingVerbs = ['answer', 'skip', 'decline', 'cancel'] as const
export type SettlingVerb = (typeof settlingVerbs)[number]

export async function settle(
  parts: Parts,
  visitor: Visitor,
  verb: SettlingVerb,
  id: string,
  body: unknown,
): Promise<Spoken> {
  const edited = verb === 'answer' ? editOf(body) : null
  if (edited !== null) await refuseBadEdit(parts, visitor, id, edited)
  const settlement: Settlement = await visitor.hub[verb](id, body as object)
  const { won, replay, request, kept } = settlement
  if (won) parts.settled(request)
  else if (!replay) throw lost(settlement)
  const headers = {
    ...(replay ? { 'beckon-replay': 'true' } : {}),
    ...(kept === undefined ? {} : { 'beckon-kept': encodeURIComponent(kept) }),
  }
  return { status: 200, headers, request }
}

function withKey(body: unknown, key: string | undefined): AskInput {
  if (key === undefined || typeof body !== 'object' || body === null) return body as AskInput
  const own = (body as { key?: unknown }).key ?? key
  if (own !== key) throw invalid([{ path: 'key', message: 'is another one than Idempotency-Key' }])
  return { ...body, key } as AskInput
}
