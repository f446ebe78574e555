import { useSyncExternalStore } from 'react'
import type { Decision, FilledAnswer } from '../../../src/form/answer-form.ts'
import { settlingEvents } from '../../../src/protocol/event-types.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { getRequest, type Settled, settle } from '../api/requests.ts'
import { onEvent, updateHubState } from '../state/hub-state.ts'
import { errorText } from '../words/error-text.ts'
import { decisionText, forgetLostAnswer, rememberLostAnswer } from './lost-race.ts'

// A decision waits here for five seconds before it is sent, so that undoing it takes nothing back: until then the hub
// knows nothing of it. `waiting` becomes `sending` when its time is up or the page is left; a decision that was sent is
// gone from here. `lost` means that somebody else settled the request first, `failed` that it could not be sent; both stay
// until the person has seen them.

export const undoDelay = 5_000

export interface Outgoing {
  readonly request: Request
  readonly decision: Decision
  /** The decision in the person's language. */
  readonly says: string
  /** What the form contained, to fill it in again. */
  readonly answers: readonly FilledAnswer[]
  readonly state: 'waiting' | 'sending' | 'lost' | 'failed'
  /** By the clock of this page. */
  readonly sendAt: number
  readonly why: string | null
}

let outgoing: readonly Outgoing[] = []
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const undone = new Map<string, readonly FilledAnswer[]>()
const subscribers = new Set<() => void>()

/** The decisions that are on their way, the newest last. */
export function useOutbox(): readonly Outgoing[] {
  return useSyncExternalStore(subscribe, () => outgoing)
}

/** The decision on this request, if it waits here or is being sent. */
export function useOutgoing(id: string): Outgoing | undefined {
  return useSyncExternalStore(subscribe, () => find(id))
}

export function isOutgoing(id: string): boolean {
  const state = find(id)?.state
  return state === 'waiting' || state === 'sending'
}

export function sendLater(request: Request, decision: Decision, says: string, answers: readonly FilledAnswer[]): void {
  const { id } = request
  const rest = outgoing.filter(other => other.request.id !== id)
  const sendAt = Date.now() + undoDelay
  setOutgoing([...rest, { request, decision, says, answers, state: 'waiting', sendAt, why: null }])
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => void sendNow(id), undoDelay),
  )
}

/** Takes the decision out again, unless it is being sent. The form of the request then starts with what it said. */
export function undo(id: string): boolean {
  const item = find(id)
  if (!item || item.state === 'sending') return false
  if (item.state !== 'lost') undone.set(id, item.answers)
  remove(id)
  return true
}

/** What the form contained before the decision was undone; null if none was. */
export function undoneAnswers(id: string): readonly FilledAnswer[] | null {
  return undone.get(id) ?? null
}

/** The form has it now. */
export function forgetUndone(id: string): void {
  undone.delete(id)
}

/** Sends what failed once more. */
export function retry(id: string): void {
  change(id, { state: 'waiting', why: null })
  void sendNow(id)
}

async function sendNow(id: string): Promise<void> {
  const item = find(id)
  if (item?.state !== 'waiting') return
  clearTimeout(timers.get(id))
  change(id, { state: 'sending' })
  const { decision } = item
  try {
    handleReply(id, await settle(id, decision, { keepalive: fitsKeepalive(decision) }), decision)
  } catch (error) {
    change(id, { state: 'failed', why: errorText(error) })
  }
}

function handleReply(id: string, reply: Settled, decision: Decision): void {
  switch (reply.end) {
    case 'refused':
      change(id, { state: 'failed', why: reply.why })
      break
    case 'lost':
      updateHubState(reply.request)
      markLost(id, decision)
      break
    case 'taken':
      updateHubState(reply.request)
      forgetLostAnswer(id)
      remove(id)
  }
}

function markLost(id: string, decision: Decision): void {
  clearTimeout(timers.get(id))
  rememberLostAnswer(id, { text: decisionText(decision), sent: true })
  change(id, { state: 'lost' })
}

/** A browser sends at most 64 KiB for a page that is gone. */
function fitsKeepalive(decision: Decision): boolean {
  return JSON.stringify(decision).length < 16_000
}

/** Leaving the page must not lose a decision, and whoever signs in next must not send it as their own. */
export async function sendAll(): Promise<void> {
  await Promise.all(outgoing.map(({ request }) => sendNow(request.id)))
}

window.addEventListener('pagehide', () => void sendAll())
// A phone may end a hidden page without another word.
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void sendAll())

onEvent(({ type, request: id }) => {
  if (id === null || !settlingEvents.has(type) || find(id)?.state !== 'waiting') return
  // Somebody else was first, and nothing of ours was sent.
  const item = find(id)
  clearTimeout(timers.get(id))
  if (item) markLost(id, item.decision)
  getRequest(id).then(updateHubState, () => {})
})

function find(id: string): Outgoing | undefined {
  return outgoing.find(({ request }) => request.id === id)
}

function change(id: string, change: Partial<Outgoing>): void {
  setOutgoing(outgoing.map(item => (item.request.id === id ? { ...item, ...change } : item)))
}

function remove(id: string): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  setOutgoing(outgoing.filter(({ request }) => request.id !== id))
}

function setOutgoing(next: readonly Outgoing[]): void {
  outgoing = next
  for (const notify of subscribers) notify()
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}
