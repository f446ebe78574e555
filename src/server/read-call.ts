import type * as z from 'zod'
import type { Operation } from '../protocol/operations/index.ts'
import { type BodyName, bodies, type QueryName, queries } from '../protocol/operations/schemas.ts'
import { parse } from '../protocol/parse.ts'

/** The hub parses the documents that it takes whole; one that is taken apart for it is parsed here. */
export function checkedBody({ body, bodyArguments }: Operation, sent: unknown): unknown {
  return bodyArguments ? parse(bodies[body as BodyName], sent) : sent
}

type Query<Name extends QueryName> = z.output<(typeof queries)[Name]>
type Given<Values> = { [Key in keyof Values]: Exclude<Values[Key], undefined> }

/** The query with the types of its entry, and without what was not given. */
export function checkedQuery<Name extends QueryName>(name: Name, sent: Record<string, unknown>): Given<Query<Name>> {
  const query = parse<z.ZodObject>(queries[name], sent)
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Given<Query<Name>>
}
