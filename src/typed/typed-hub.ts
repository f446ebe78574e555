import type { HubApi } from '../protocol/hub.ts'
import { composedVerbs, operations } from '../protocol/operations/index.ts'
import { findVerb, setVerb } from '../protocol/operations/verbs.ts'
import type { Hub } from './hub.ts'
import { typedVerb } from './typed-verb.ts'

/** The verbs of the table and no more, as programs have them. */
export function createTypedHub<Paths = string>(hub: HubApi): Hub<Paths> {
  const typed = {} as Hub<Paths>
  for (const name of [...Object.keys(composedVerbs), ...operations.map(({ name }) => name)]) {
    const verb = findVerb(hub, name)
    if (verb) setVerb(typed, name, typedVerb(name, verb))
  }
  return typed
}
