import { limits } from '../protocol/limits.ts'
import type { Request } from '../protocol/request.ts'
import type { Kind, OnTimeout } from '../protocol/status.ts'

// A deadline is an instant by the database's clock. It fires once and never early; if nothing runs then, at the next start.
// The asker declares what happens: its default is used, the request expires, or reminders come while it stays pending.

/** What a deadline does if the asker did not say. */
export function defaultPolicy(kind: Kind, required: boolean, hasDefaults: boolean): OnTimeout {
  if (kind === 'dependency' || kind === 'approval') return 'fail'
  if (required) return 'remind'
  return hasDefaults ? 'default' : 'fail'
}

/**
 * The next reminder. Reminders come at 1×, 2×, 4× … of the timeout after asking; those that were missed while nothing ran
 * are not made up for. Null when the next one would be absurdly late.
 */
export function nextReminder(askedAt: number, timeout: number, now: number): number | null {
  if (timeout <= 0) return null
  let after = timeout
  while (askedAt + after <= now) after *= 2
  return after > limits.timeout ? null : askedAt + after
}

/**
 * Where an open request stands with its deadline. Every screen words it from this, so that no screen counts below zero:
 *   ahead    the deadline, or the first reminder, is still to come
 *   closing  the deadline passed, and the next hub that looks settles the request
 *   overdue  the deadline passed and reminders come; `next` is null before the first one, and when no further one comes
 */
export type Due =
  | { readonly state: 'ahead'; readonly at: number }
  | { readonly state: 'closing' }
  | { readonly state: 'overdue'; readonly since: number; readonly reminded: boolean; readonly next: number | null }

export function dueOf(
  { status, deadline, onTimeout, remindAt }: Pick<Request, 'status' | 'deadline' | 'onTimeout' | 'remindAt'>,
  now: number,
): Due | null {
  if (status !== 'pending' || deadline === null) return null
  const at = Date.parse(deadline)
  // The hub's clock decides: if it reminded already, ours is slow.
  const reminded = remindAt !== undefined
  if (at > now && !reminded) return { state: 'ahead', at }
  if (onTimeout !== 'remind') return { state: 'closing' }
  return { state: 'overdue', since: Math.min(at, now), reminded, next: remindAt ? Date.parse(remindAt) : null }
}
