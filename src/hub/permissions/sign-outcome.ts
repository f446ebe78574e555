import { BeckonError, isForPeople } from '../../protocol/index.ts'
import type { Grant } from '../access/grant.ts'

interface Signed {
  by?: string | undefined
  channel?: string | undefined
}

// Nobody may claim these over HTTP with a token.
const reserved = ['web', 'rule', 'policy']

/**
 * Says who settles a request. In a browser that is the person who signed in, on the web. A person's program may answer
 * in the name of somebody, as a chat does, but not as a browser, a rule or a deadline. Agents sign with their own name.
 */
export function signOutcome<Input extends Signed>(grant: Grant, input = {} as Input): Input {
  if (grant.kind === 'session') return { ...input, by: grant.name, channel: 'web' }
  if (!isForPeople(grant.scope)) return { ...input, by: grant.name, channel: 'http' }
  if (!reserved.includes(input?.channel ?? '')) return input
  throw new BeckonError('not_allowed', `A token cannot answer through the channel ${input.channel}.`)
}
