import { neededTypes } from '../../protocol/status.ts'
import type { DependencyRequest, Parsed } from '../items.ts'
import { collect } from './collect.ts'
import { parseChoice, parseRequired, parseText, parseTimeout } from './field-values.ts'
import { splitFields, unquote } from './fields.ts'

const names = ['type', 'name', 'description', 'required', 'timeout']

/** Parses the text between the tags of a `[DEPENDENCY_REQUEST]`. */
export function parseDependency(text: string): Parsed<DependencyRequest> {
  const fields = splitFields(text, names)
  const name = fields.get('name')
  return collect(fields.problems, {
    type: parseChoice('type', fields.get('type'), neededTypes),
    name: parseText('name', name === null ? null : unquote(name)),
    description: parseText('description', fields.get('description')),
    required: parseRequired(fields.get('required')),
    timeout: parseTimeout(fields.get('timeout')),
  })
}
