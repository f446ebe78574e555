import type { ErrorReport, Parsed } from '../items.ts'
import { collect } from './collect.ts'
import { parseText } from './field-values.ts'
import { fieldOf, splitFields, unquote } from './fields.ts'

const names = ['type', 'message', 'details', 'recovery']

/** Parses the text between the tags of an `[ERROR]`. Agents may use any type; only `fatal` has a meaning. */
export function parseErrorReport(text: string): Parsed<ErrorReport> {
  const fields = splitFields(text, names)
  const type = fields.get('type')
  return collect(fields.problems, {
    type: { value: type },
    message: parseText('message', fields.get('message')),
    details: { value: fields.get('details') },
    recovery: { value: fields.get('recovery') },
    fatal: { value: unquote(type ?? '').toLowerCase() === 'fatal' },
  })
}

export function isErrorField(line: string): boolean {
  return fieldOf(line, names) !== null
}
