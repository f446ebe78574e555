import type { ErrorReport, Reading } from '../items.ts'
import { gather } from './collect.ts'
import { readText } from './field-values.ts'
import { fieldOf, readFields, unquote } from './fields.ts'

const names = ['type', 'message', 'details', 'recovery']

/** The text between the tags of an `[ERROR]`. Which types there are is the agent's business, but for `fatal`. */
export function readErrorReport(text: string): Reading<ErrorReport> {
  const fields = readFields(text, names)
  const type = fields.get('type')
  return gather(fields.problems, {
    type: { value: type },
    message: readText('message', fields.get('message')),
    details: { value: fields.get('details') },
    recovery: { value: fields.get('recovery') },
    fatal: { value: unquote(type ?? '').toLowerCase() === 'fatal' },
  })
}

export function isErrorField(line: string): boolean {
  return fieldOf(line, names) !== null
}
