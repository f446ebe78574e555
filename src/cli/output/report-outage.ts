import type { Outage } from '../../client/outage.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'

/** Off a terminal only: on one, a prompt or an inbox may be on the screen, and says it there. */
export function reportOutage({ isTerminal, stderr, now }: Context, { url, until }: Outage): void {
  if (isTerminal) return
  const limit = until === null ? '' : ` until ${timeOf(until, now())}`
  stderr.write(`beckon: The server at ${harmless(url)} does not answer; trying again${limit}.\n`)
}

/** `21:45:10`, and the day where that is another one. */
function timeOf(time: number, now: number): string {
  const [at, today] = [new Date(time), new Date(now)]
  const day = at.toDateString() === today.toDateString() ? '' : ` on ${at.toDateString()}`
  return `${at.toTimeString().slice(0, 8)}${day}`
}
