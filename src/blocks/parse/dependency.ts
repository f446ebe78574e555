import { dependencyTypes } from '../../protocol/status.ts'
import type { DependencyRequest, Reading } from '../items.ts'
import { gather } from './collect.ts'
import { readChoice, readRequired, readText, readTimeout } from './field-values.ts'
import { readFields, unquote } from './fields.ts'

const names = ['type', 'name', 'description', 'required', 'timeout']

/** The text between the tags of a `[DEPENDENCY_REQUEST]`. */
export function readDependency(text: string): Reading<DependencyRequest> {
  const fields = readFields(text, names)
  const name = fields.get('name')
  return gather(fields.problems, {
    type: readChoice('type', fields.get('type'), dependencyTypes),
    name: readText('name', name === null ? null : unquote(name)),
    description: readText('description', fields.get('description')),
    required: readRequired(fields.get('required')),
    timeout: readTimeout(fields.get('timeout')),
  })
}
