import { isForPeople } from '../../protocol/index.ts'
import { refuseReservedChannel } from '../../rules/reserved-channels.ts'
import type { Grant } from '../access/grant.ts'

interface Signed {
  by?: string | undefined
  channel?: string | undefined
}

/**
 * Says who settles a request. In a browser that is the person who signed in, on the web. A person's program may answer
 * in the name of somebody, as a chat does, but not as a browser, a rule or a deadline. Agents sign with their own name.
 */
export function signOutcome<Input extends Signed>(grant: Grant, input = {} as Input): Input {
  if (grant.kind === 'session') return { ...input, by: grant.name, channel: 'web' }
  if (!isForPeople(grant.scope)) return { ...input, by: grant.name, channel: 'http' }
  // The inbox on another machine says `terminal`.
  refuseReservedChannel(input?.channel, { who: 'A token', except: ['terminal'] })
  return input
}
