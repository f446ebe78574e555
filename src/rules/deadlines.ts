import { type Kind, limits, type OnTimeout } from '../protocol/index.ts'

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
