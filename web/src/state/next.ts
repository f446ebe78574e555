import { isOutgoing } from '../outbox/outbox.ts'
import { go } from '../router.tsx'
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

/** The next one below that still waits, or else the first above. */
export function nextWaiting(id: string | null): string | null {
  const { rows, settled } = inboxState()
  const ids = shown ?? rows.map(row => row.id)
  const at = id === null ? -1 : ids.indexOf(id)
  const inOrder = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at))]
  return inOrder.find(other => other !== id && !settled.has(other) && !isOutgoing(other)) ?? null
}
