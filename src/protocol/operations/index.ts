import type * as z from 'zod'
import type { HubApi, Settlement } from '../hub.ts'
import { kept } from './kept.ts'
import type { Entry, Operation } from './operation.ts'
import { pairings } from './pairings.ts'
import { requests } from './requests.ts'
import { rules } from './rules.ts'
import { runs } from './runs.ts'
import type { ResultName, results } from './schemas.ts'
import { server } from './server.ts'
import { sessions } from './sessions.ts'
import { targets } from './targets.ts'
import { tokens } from './tokens.ts'

export type { Operation } from './operation.ts'

// Every operation of the API, once. Routes and their 405s, rights, OpenAPI, both clients and the reference in
// docs/http.md follow from this table: a new verb is one entry here and one implementation on the hub.

const table = {
  ...requests,
  ...runs,
  ...kept,
  ...rules,
  ...tokens,
  ...sessions,
  ...targets,
  ...pairings,
  ...server,
} as const satisfies Record<string, Entry>

type Table = typeof table
export type OperationName = keyof Table

/** Entries by name, and in the order of the reference. */
export const operation = Object.fromEntries(
  Object.entries(table).map(([name, entry]) => [name, { name, ...entry }]),
) as unknown as { readonly [Name in OperationName]: Operation & { name: Name } }
export const operations: readonly Operation[] = Object.values(operation)

/** Verbs of the hub that are made of others, with those that they call. */
export const composedVerbs = {
  ask: ['raise', 'get', 'messages.unheard', 'messages.confirm', 'confirmDelivery'],
  wait: ['get'],
  follow: ['events'],
  close: [],
} as const satisfies Record<string, readonly OperationName[]>

type Where<Condition> = {
  [Name in OperationName]: Table[Name] extends Condition ? Name : never
}[OperationName]

/** Operations for which the server needs a handler by name. */
export type HandledName = Where<{ handler: true }>
/** Verbs of the hub whose rights depend on the calling token. */
export type TokenVerbName = Exclude<Where<{ owner: 'token' }>, Where<{ serverOnly: true }>>

/** What a caller gets out of the JSON that an operation sends back. */
export type ResultOf<Name extends OperationName> = Table[Name] extends { settles: true }
  ? Settlement
  : Table[Name] extends { result: infer Result extends ResultName; resultField: infer Field }
    ? Document<Result>[Field & keyof Document<Result>]
    : Table[Name] extends { result: infer Result extends ResultName }
      ? Document<Result>
      : unknown
type Document<Name extends ResultName> = z.output<(typeof results)[Name]>

/** Every verb of an API that is grouped by noun: `answer`, `runs.pause`. */
type VerbsOf<Api> = {
  [Key in keyof Api & string]: Api[Key] extends (...args: never[]) => unknown
    ? Key
    : `${Key}.${keyof Api[Key] & string}`
}[keyof Api & string]
export type VerbName = Exclude<OperationName, Where<{ serverOnly: true }>>

// Neither side has a verb that the other has not: otherwise this line does not compile.
type HubVerbName = Exclude<VerbsOf<HubApi>, keyof typeof composedVerbs>
true satisfies [VerbName, HubVerbName] extends [HubVerbName, VerbName] ? true : never
