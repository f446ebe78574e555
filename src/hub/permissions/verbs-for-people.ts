import { BeckonError, type DraftReader, type Pairing } from '../../protocol/index.ts'
import type { HubVerbs } from '../../protocol/operations/verbs.ts'
import { notFound } from '../not-found.ts'
import type { RestrictOptions } from './options.ts'
import { needsScope } from './refusals.ts'
import { signOutcome } from './sign-outcome.ts'

/** What people may do with limits that no scope expresses. */
export function verbsForPeople({ hub, grant }: RestrictOptions): Partial<HubVerbs> {
  const { scope, kind } = grant
  return {
    answer: async (id, input) => hub.answer(id, signOutcome(grant, input)),
    skip: async (id, input) => hub.skip(id, signOutcome(grant, input)),
    decline: async (id, input) => hub.decline(id, signOutcome(grant, input)),
    cancel: async (id, input) => hub.cancel(id, signOutcome(grant, input)),
    'messages.send': async (id, input) =>
      hub.messages.send(id, kind === 'session' ? { ...input, by: grant.name } : input),
    'drafts.save': async (id, draft) => hub.drafts.save(id, kind === 'session' ? { ...draft, by: grant.name } : draft),
    'drafts.get': async (id, options) => hub.drafts.get(id, asReader(options)),
    'drafts.all': async (id, options) => hub.drafts.all(id, asReader(options)),
    'pairings.list': async () => (await hub.pairings.list()).filter(isTheirs),
    'pairings.remove': async id => {
      if (!(await hub.pairings.list()).some(pairing => pairing.id === id && isTheirs(pairing))) {
        throw notFound('pairing', id)
      }
      return hub.pairings.remove(id)
    },
    'logs.append': async (id, input) => {
      // A supervisor prints, a page does not.
      if (kind === 'session')
        throw new BeckonError('not_allowed', 'Only the token of a supervisor may append to a log.')
      return hub.logs.append(id, input)
    },
    'tokens.create': async input => {
      if (scope !== 'admin' && !(input?.scope === 'ask' && input.run)) throw needsScope('admin', scope)
      return hub.tokens.create(input)
    },
  }

  /** A person looks after their own pairings, an admin after all. */
  function isTheirs({ person }: Pairing): boolean {
    return scope === 'admin' || person === grant.name
  }

  /** In a browser that is the person who signed in. */
  function asReader(options: DraftReader = {}): DraftReader {
    return kind === 'session' ? { by: grant.name } : options
  }
}
