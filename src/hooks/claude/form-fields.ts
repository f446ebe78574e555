import type { AnswerGiven } from '../../protocol/answer.ts'
import type { AskInput } from '../../protocol/ask.ts'

// The schema of a form, as MCP has it: an object of texts, numbers, yes or no, and choices. What it does not describe is
// taken as a text.

type FormQuestion = Extract<AskInput, { questions: unknown }>['questions'][number]
type Value = string | number | boolean | string[]

export interface Field {
  readonly name: string
  readonly title: string
  readonly required: boolean
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  /** What a person sees, and what the server gets. */
  readonly choices: readonly { readonly label: string; readonly value: string }[]
  readonly default: Value | null
}

export function fieldsOf(schema: unknown): Field[] {
  const { properties, required } = objectOf(schema)
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(objectOf(properties)).map(([name, given]) => fieldOf(name, objectOf(given), needed.has(name)))
}

export function questionOf({ name, title, type, choices, required, default: preset }: Field): FormQuestion {
  const labels = type === 'boolean' ? ['yes', 'no'] : choices.map(({ label }) => label)
  return {
    id: name,
    question: required ? title : `${title} (optional)`,
    header: name.slice(0, 200),
    options: labels,
    multiSelect: type === 'choices',
    default: presetOf(preset, choices),
  }
}

export type Form =
  | { readonly accepted: boolean; readonly content: Record<string, Value> }
  | { readonly problem: string }

/** What the server gets; or what is wrong, for the person who is asked again. */
export function contentOf(fields: readonly Field[], answers: readonly AnswerGiven[]): Form {
  if (fields.length === 0) return { accepted: answers[0]?.selected[0] === 'accept', content: {} }
  const content: Record<string, Value> = {}
  for (const field of fields) {
    const { selected = [], text = null } = answers.find(({ id }) => id === field.name) ?? {}
    const isEmpty = selected.length === 0 && (text ?? '').trim() === ''
    if (isEmpty && field.required) return { problem: `"${field.title}" must be answered.` }
    if (isEmpty) continue
    const value = readValue(field, selected, text ?? '')
    if (value === null) return { problem: `"${text}" is not ${describe[field.type]}, as "${field.title}" needs it.` }
    content[field.name] = value
  }
  return { accepted: true, content }
}

const describe: Record<Field['type'], string> = {
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  choice: 'one of the choices',
  choices: 'one of the choices',
}

function readValue({ type, choices }: Field, selected: readonly string[], text: string): Value | null {
  const values = selected.map(label => choices.find(choice => choice.label === label)?.value ?? label)
  switch (type) {
    case 'text':
      return text
    case 'number':
    case 'integer': {
      const number = Number(text.trim())
      return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : null
    }
    case 'boolean':
      return selected[0] === 'yes'
    case 'choice':
      return values[0] ?? null
    case 'choices':
      return values
  }
}

function fieldOf(name: string, given: Fields, required: boolean): Field {
  const { title, description, type, items } = given
  const words = [title, description].filter(one => typeof one === 'string' && one.trim() !== '')
  const choices = type === 'array' ? choicesOf(objectOf(items)) : choicesOf(given)
  const preset = given.default
  return {
    name,
    title: words.join(': ').slice(0, 9_000) || name,
    required,
    type: typeOf(type, choices.length > 0),
    choices,
    default: isValue(preset) ? preset : null,
  }
}

function typeOf(type: unknown, hasChoices: boolean): Field['type'] {
  if (hasChoices) return type === 'array' ? 'choices' : 'choice'
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text'
}

/** `enum` with `enumNames`, or `oneOf` and `anyOf` of constants with titles. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Fields) {
  const names = Array.isArray(enumNames) ? enumNames : []
  const listed = Array.isArray(values)
    ? values.map((value, i) => ({ const: value, title: names[i] }))
    : (oneOf ?? anyOf)
  if (!Array.isArray(listed)) return []
  return listed
    .map(objectOf)
    .map(({ const: value, title }) => ({ value: String(value), label: String(title ?? value) }))
}

function presetOf(preset: Value | null, choices: Field['choices']): FormQuestion['default'] {
  if (preset === null) return null
  if (typeof preset === 'boolean') return preset ? 'yes' : 'no'
  const labels = [preset].flat().map(one => choices.find(({ value }) => value === String(one))?.label ?? String(one))
  return Array.isArray(preset) ? labels : (labels[0] ?? null)
}

type Fields = { readonly [name: string]: unknown }

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function isValue(value: unknown): value is Value {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every(one => typeof one === 'string'))
  )
}
