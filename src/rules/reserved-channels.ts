import { BeckonError } from '../protocol/errors.ts'

// What these say is checked by the part of Beckon that says it: a signed-in browser, a prompt in a terminal, a rule that
// a person made, the asker's own deadline.
const reserved = ['web', 'terminal', 'rule', 'policy']

/** Refuses an answer that claims a reserved channel, in any spelling that could be taken for it. */
export function refuseReservedChannel(
  channel: unknown,
  { who, except = [] }: { who: string; except?: readonly string[] },
): void {
  if (typeof channel !== 'string') return
  const name = channel.normalize('NFKC').trim().toLowerCase()
  if (!reserved.includes(name) || except.includes(name)) return
  throw new BeckonError('not_allowed', `${who} cannot answer through the channel ${name}.`)
}
