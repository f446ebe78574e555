import { categories } from '../../protocol/status.ts'
import { validateAnswer } from '../../rules/validate-answers.ts'
import type { Parsed, UserQuestion } from '../items.ts'
import { collect } from './collect.ts'
import { parseChoice, parseRequired, parseText, parseTimeout } from './field-values.ts'
import { splitFields, unquote } from './fields.ts'
import { parseOptions } from './options.ts'

const names = ['category', 'question', 'options', 'default', 'required', 'timeout']

/** Parses the text between the tags of a `[USER_QUESTION]`. */
export function parseQuestion(text: string): Parsed<UserQuestion> {
  const fields = splitFields(text, names)
  const given = fields.get('options')
  const options = given === null ? { value: [] } : parseOptions(given)
  return collect(fields.problems, {
    category: parseChoice('category', fields.get('category'), categories),
    question: parseText('question', fields.get('question')),
    options: options.value ? { value: options.value.length > 0 ? options.value : undefined } : options,
    default: parseDefault(fields.get('default'), options.value ?? []),
    required: parseRequired(fields.get('required')),
    timeout: parseTimeout(fields.get('timeout')),
  })
}

/**
 * Finds the option by its label or number, as in any answer, or by its beginning, as in `Freemium` for
 * `Freemium (free + paid)`. Refuses a default that could mean two options.
 */
function parseDefault(given: string | null, options: readonly string[]): Parsed<string | undefined> {
  if (given === null) return { value: undefined }
  if (options.length === 0) return { value: given }
  const wanted = options.includes(given) ? given : unquote(given)
  const chosen = validateAnswer({ options }, wanted)
  const labels = chosen.valid ? chosen.selected : []
  const prefixed = options.filter(option => option.normalize('NFC').startsWith(wanted.normalize('NFC')))
  const candidates = options.includes(wanted) ? labels : [...new Set([...labels, ...prefixed])]
  if (candidates.length === 1) return { value: candidates[0] }
  if (!chosen.valid && options.includes(wanted)) return { problem: `default: ${chosen.error}` }
  const why =
    candidates.length > 1 ? `could be ${candidates.join(' or ')}` : `is not one of the options: ${options.join(', ')}`
  return { problem: `default: ${wanted} ${why}` }
}
