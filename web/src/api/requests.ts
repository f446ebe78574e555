import type { Decision } from '../../../src/form/answer-form.ts'
import type { Draft, DraftInput } from '../../../src/protocol/draft.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Kind, Status } from '../../../src/protocol/status.ts'
import { errorText } from '../words/error-text.ts'
import { call, Refusal } from './call.ts'

export interface RequestFilter {
  status?: Status | 'all'
  run?: string
  kind?: Kind
  search?: string
  order?: 'asc' | 'desc'
  after?: string
  limit?: number
}

export interface RequestPage {
  requests: Request[]
  next: string | null
  /** The number of the last event when this was read. */
  cursor: number
}

/** What became of a decision: taken, or somebody was first, or not an answer. */
export type Settled =
  | { readonly end: 'taken'; readonly request: Request }
  | { readonly end: 'lost'; readonly request: Request }
  | { readonly end: 'refused'; readonly why: string }

export async function listRequests(filter: RequestFilter, signal?: AbortSignal): Promise<RequestPage> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const page = await call<RequestPage>('GET', `/requests?${query}`, signal ? { signal } : {})
  // Looked through so far and found nothing: there may be something further on.
  if (page.requests.length > 0 || page.next === null) return page
  return listRequests({ ...filter, after: page.next }, signal)
}

export function getRequest(id: string): Promise<Request> {
  return call('GET', at(id))
}

export function settle(id: string, decision: Decision): Promise<Settled> {
  return settled(id, send(id, decision))
}

/** What became of a decision that is on its way. */
export async function settled(id: string, sent: Promise<Request>): Promise<Settled> {
  try {
    return { end: 'taken', request: await sent }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 409 || error.status === 410) return { end: 'lost', request: await getRequest(id) }
    if (error.status === 422) return { end: 'refused', why: errorText(error) }
    throw error
  }
}

function send(id: string, decision: Decision): Promise<Request> {
  switch (decision.verb) {
    case 'answer':
      return call('PUT', `${at(id)}/answer`, { body: decision.input })
    case 'skip':
      return call('PUT', `${at(id)}/skip`, { body: { note: decision.note } })
    case 'decline':
      return call('PUT', `${at(id)}/decline`, { body: { reason: decision.reason || null } })
  }
}

export async function getDraft(id: string): Promise<Draft | null> {
  const draft = await call<Draft | { draft: Draft | null } | null>('GET', `${at(id)}/draft`)
  return draft && 'draft' in draft ? draft.draft : draft
}

export function saveDraft(id: string, draft: DraftInput, last = false): Promise<unknown> {
  return call('PUT', `${at(id)}/draft`, { body: draft, last })
}

function at(id: string): string {
  return `/requests/${encodeURIComponent(id)}`
}
