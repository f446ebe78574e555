import { BeckonError } from '../protocol/errors.ts'
import type { Severity } from '../protocol/severity.ts'

// The channels that show an action as a whole and ask for a deliberate gesture.
const carefulChannels = ['terminal', 'web']

/** Who may say yes: a critical action, which cannot be undone, needs a terminal or the web. */
export function mayApprove(severity: Severity, channel: string): boolean {
  return severity !== 'critical' || carefulChannels.includes(channel)
}

export function needsCarefulChannel(why?: string): BeckonError {
  const tail = why ? ` (${why}).` : ', nowhere else.'
  return new BeckonError('not_allowed', `A critical action is approved in a terminal or in the browser${tail}`)
}
