import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'

// What hosts write to the stdin of a hook is parsed JSON by now. It is read without schemas, which take longer to load than
// everything else that a harmless call needs.

export type Fields = { readonly [name: string]: Json }

export function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {}
}

export function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new BeckonError('invalid', `The host's input has no ${name}.`)
}
