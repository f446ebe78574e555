import type { HubApi } from '../hub.ts'
import type { VerbName } from './index.ts'

/** A verb as code has it that walks the table. */
export type Verb = (...args: unknown[]) => unknown

/** The type of a verb of the hub, by its name. */
type HubVerb<Name extends string> = Name extends `${infer Noun extends keyof HubApi & string}.${infer Rest}`
  ? HubApi[Noun][Rest & keyof HubApi[Noun]]
  : HubApi[Name & keyof HubApi]

export type HubVerbs<Name extends VerbName = VerbName> = { [Each in Name]: HubVerb<Each> }

export type VerbArguments<Name extends string> = HubVerb<Name> extends (...args: infer Args) => unknown ? Args : never

export function findVerb(api: object, name: string): Verb | undefined {
  const [noun, rest] = split(name)
  const found = (api as Record<string, unknown>)[noun]
  const verb = rest === null ? found : (found as Record<string, unknown> | undefined)?.[rest]
  return typeof verb === 'function' ? (verb as Verb) : undefined
}

export function setVerb(api: object, name: string, verb: Verb): void {
  const [noun, rest] = split(name)
  const verbs = api as Record<string, unknown>
  if (rest === null) verbs[noun] = verb
  else verbs[noun] = { ...(verbs[noun] as object | undefined), [rest]: verb }
}

function split(name: string): [string, string | null] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, null] : [name.slice(0, dot), name.slice(dot + 1)]
}
