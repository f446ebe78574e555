import { categories } from '../../protocol/status.ts'
import { validateAnswer } from '../../rules/answers.ts'
import type { Reading, UserQuestion } from '../items.ts'
import { gather } from './collect.ts'
import { readChoice, readRequired, readText, readTimeout } from './field-values.ts'
import { readFields, unquote } from './fields.ts'
import { readOptions } from './options.ts'

const names = ['category', 'question', 'options', 'default', 'required', 'timeout']

/** The text between the tags of a `[USER_QUESTION]`. */
export function readQuestion(text: string): Reading<UserQuestion> {
  const fields = readFields(text, names)
  const given = fields.get('options')
  const options = given === null ? { value: [] } : readOptions(given)
  return gather(fields.problems, {
    category: readChoice('category', fields.get('category'), categories),
    question: readText('question', fields.get('question')),
    options: options.value ? { value: options.value.length > 0 ? options.value : undefined } : options,
    default: readDefault(fields.get('default'), options.value ?? []),
    required: readRequired(fields.get('required')),
    timeout: readTimeout(fields.get('timeout')),
  })
}

/**
 * The option that is meant: by its label or number as in any answer, or by its beginning, as in `Freemium` for
 * `Freemium (free + paid)`. What could mean two options means none.
 */
function readDefault(given: string | null, options: readonly string[]): Reading<string | undefined> {
  if (given === null) return { value: undefined }
  if (options.length === 0) return { value: given }
  const wanted = options.includes(given) ? given : unquote(given)
  const chosen = validateAnswer({ options }, wanted)
  const labels = chosen.valid ? chosen.selected : []
  const alike = options.filter(option => option.normalize('NFC').startsWith(wanted.normalize('NFC')))
  const meant = options.includes(wanted) ? labels : [...new Set([...labels, ...alike])]
  if (meant.length === 1) return { value: meant[0] }
  if (!chosen.valid && options.includes(wanted)) return { problem: `default: ${chosen.error}` }
  const why = meant.length > 1 ? `could be ${meant.join(' or ')}` : `is none of the options: ${options.join(', ')}`
  return { problem: `default: ${wanted} ${why}` }
}
