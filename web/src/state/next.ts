import { isOutgoing } from '../outbox/outbox.ts'
import { parsePath } from '../route.ts'
import { go } from '../router.tsx'
import { hubState } from './hub-state.ts'
import { inboxState } from './inbox.ts'
import { inboxPath, requestPath } from './view.ts'

let shown: readonly string[] | null = null

/** The list tells which rows it shows, in their order: a person who is using it expects the next one below. */
export function noteShownRows(ids: readonly string[] | null): void {
  shown = ids
}

/** After a decision the next request of the list opens; after the last one, the inbox. */
export function afterDecision(id: string): void {
  const next = nextWaiting(id)
  go(next === null ? inboxPath() : requestPath(next))
}

/** If one of these is open, the next request opens instead. */
export function leaveRequests(ids: readonly string[]): void {
  const route = parsePath(location.pathname)
  if (route.page !== 'request' || !ids.includes(route.id)) return
  const next = nextWaiting(route.id, ids)
  go(next === null ? inboxPath() : requestPath(next))
}

/** The next one below that still waits, or else the first above. */
export function nextWaiting(id: string | null, except: readonly string[] = []): string | null {
  const { rows, settled } = inboxState()
  const ids = shown ?? rows.map(row => row.id)
  const at = id === null ? -1 : ids.indexOf(id)
  const inOrder = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at))]
  const { requests } = hubState()
  const waits = (other: string) =>
    // The reply to a decision is here before the event that takes its row out of the list.
    (requests.get(other)?.status ?? 'pending') === 'pending' &&
    !settled.has(other) &&
    !isOutgoing(other) &&
    !except.includes(other)
  return inOrder.find(other => other !== id && waits(other)) ?? null
}
