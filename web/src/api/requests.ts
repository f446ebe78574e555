import type { Decision } from '../../../src/form/answer-form.ts'
import type { Edited } from '../../../src/protocol/answer.ts'
import type { DraftInput, Drafts } from '../../../src/protocol/draft.ts'
import type { ListFilter, RequestPage, Settlement } from '../../../src/protocol/hub.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Explanation } from '../../../src/protocol/verdict.ts'
import { errorText } from '../words/error-text.ts'
import { call, Refusal } from './call.ts'

export type RequestFilter = ListFilter

/** What became of a decision: taken, or somebody was first, or not an answer. */
export type Settled =
  | { readonly end: 'taken'; readonly request: Request }
  | { readonly end: 'lost'; readonly request: Request }
  | { readonly end: 'refused'; readonly why: string }

export async function listRequests(filter: RequestFilter, signal?: AbortSignal): Promise<RequestPage> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as RequestFilter
  const page = await call('list', [given], { signal })
  // Nothing was found on this page; there may be something further on.
  if (page.requests.length > 0 || page.next === null) return page
  return listRequests({ ...filter, after: page.next }, signal)
}

export function getRequest(id: string): Promise<Request> {
  return call('get', [id])
}

/** `keepalive`: the browser sends it even if the page is closed meanwhile. */
export function settle(id: string, decision: Decision, { keepalive = false } = {}): Promise<Settled> {
  const sent = send(id, decision, keepalive).then(({ won, replay, request }): Settled => {
    return { end: won || replay ? 'taken' : 'lost', request }
  })
  return sent.catch(refusedOrThrow)
}

function send(id: string, decision: Decision, keepalive: boolean): Promise<Settlement> {
  switch (decision.verb) {
    case 'answer':
      return call('answer', [id, decision.input], { keepalive })
    case 'skip':
      return call('skip', [id, { note: decision.note }], { keepalive })
    case 'decline':
      return call('decline', [id, { reason: decision.reason || null }], { keepalive })
  }
}

/** What became of an upload that is on its way. */
export async function settled(id: string, sent: Promise<Request>): Promise<Settled> {
  try {
    return { end: 'taken', request: await sent }
  } catch (error) {
    const isLost = error instanceof Refusal && (error.status === 409 || error.status === 410)
    return isLost ? { end: 'lost', request: await getRequest(id) } : refusedOrThrow(error)
  }
}

function refusedOrThrow(error: unknown): Settled {
  if (error instanceof Refusal && error.status === 422) return { end: 'refused', why: errorText(error) }
  throw error
}

export function getDrafts(id: string): Promise<Drafts> {
  return call('drafts.all', [id])
}

export function discardDraft(id: string, by: string): Promise<boolean> {
  return call('drafts.discard', [id, by])
}

/** `last`: the page is being closed. */
export function saveDraft(id: string, draft: DraftInput, last = false): Promise<unknown> {
  return call('drafts.save', [id, draft], { keepalive: last })
}

/** What the guard says about a person's own version of a command. */
export function judge(id: string, edited: Edited, signal: AbortSignal): Promise<Explanation> {
  return call('judge', [id, edited], { signal })
}
