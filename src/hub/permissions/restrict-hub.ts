import { type BeckonError, type Event, includesScope, isForPeople } from '../../protocol/index.ts'
import { operations as allOperations, composedVerbs, type Operation } from '../../protocol/operations/index.ts'
import { findVerb, setVerb, type Verb } from '../../protocol/operations/verbs.ts'
import { notFound } from '../not-found.ts'
import type { RestrictedHub } from '../shared-hub.ts'
import type { RestrictOptions } from './options.ts'
import { createOwnership } from './ownership.ts'
import { needsScope } from './refusals.ts'
import { verbsForAgents } from './verbs-for-agents.ts'
import { verbsForPeople } from './verbs-for-people.ts'
import { createVisibleEvents } from './visible-events.ts'

/**
 * The hub as a caller over HTTP has it: every verb of the table, with the rights that its entry states. Agents and
 * supervisors reach what is their own and settle nothing; people do everything but tokens and targets, which are for
 * admins; a sealed value goes to its asker, and never to a browser.
 */
export function restrictHub(options: RestrictOptions): RestrictedHub {
  const { hub, grant, operations = allOperations } = options
  const ownership = isForPeople(grant.scope) ? null : createOwnership(options.store, grant)
  const events = createVisibleEvents(hub, isVisible)
  const { raiseOrJoin, ask, verbs } = ownership
    ? verbsForAgents({ ...options, ownership, events: events.events })
    : { ...hub, verbs: verbsForPeople(options) }
  const restricted = { ...events, raiseOrJoin, ask, close: hub.close }
  for (const operation of operations) {
    if (operation.serverOnly) continue
    const special = (verbs as Record<string, Verb | undefined>)[operation.name]
    setVerb(restricted, operation.name, guard(operation, special ?? (findVerb(hub, operation.name) as Verb)))
  }
  const [verbOfWait] = composedVerbs.wait
  const get = operations.find(({ name }) => name === verbOfWait) as Operation
  return { ...restricted, wait: guard(get, hub.wait as Verb) } as unknown as RestrictedHub

  /** What a person does not want to see for now is nobody's business but people's. */
  function isVisible(event: Event): boolean | Promise<boolean> {
    if (!ownership) return true
    return event.type !== 'request.snoozed' && ownership.isVisible(event)
  }

  function guard({ scope, owner }: Operation, verb: Verb): Verb {
    if (scope !== null && !includesScope(grant.scope, scope)) {
      return async () => {
        throw needsScope(scope, grant.scope)
      }
    }
    if (!ownership) return verb
    if (owner === 'own-request') {
      return async (id, ...rest) => {
        // The caller does not even learn that it exists.
        if (!(await ownership.ownsRequest(id as string))) throw notFound('request', id)
        return verb(id, ...rest)
      }
    }
    if (owner === 'own-run') {
      return async (id, ...rest) => {
        if (!(await ownership.ownsRun(id as string))) throw foreignRun(id)
        return verb(id, ...rest)
      }
    }
    return verb
  }

  /** An agent may know that there are other runs. */
  function foreignRun(id: unknown): BeckonError {
    return grant.scope === 'ask' ? needsScope('answer', grant.scope) : notFound('run', id)
  }
}
