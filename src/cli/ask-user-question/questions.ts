import type { Problem } from '../../protocol/errors.ts'
import { attachmentLimits, limits as hubLimits } from '../../protocol/limits.ts'
import { validationFailed } from './bad-call.ts'
import type { Limits } from './limits.ts'

export interface Asked {
  questions: AskedQuestion[]
  /** Paths of files to show with them. */
  attachments: string[]
}

interface AskedQuestion {
  question: string
  header: string
  options: AskedOption[]
  multiSelect: boolean
}

interface AskedOption {
  label: string
  description: string
  preview?: string
}

/**
 * The questions of a call, or every problem with them at once, in the order and the words of the command's document (those
 * of zod 3). What passes here passes the hub, too. Unknown fields are ignored: other tools of this name have more fields.
 */
export function readQuestions(input: unknown, limits: Limits): Asked {
  const problems = [...inputProblems(input, limits)]
  if (problems.length > 0) throw validationFailed(problems)
  const { questions, attachments } = input as { questions: AskedQuestion[]; attachments?: string[] }
  return { questions: questions.map(onlyKnownFields), attachments: attachments ?? [] }
}

function onlyKnownFields({ question, header, options, multiSelect }: AskedQuestion): AskedQuestion {
  return {
    question,
    header,
    options: options.map(({ label, description, preview = '' }) => ({ label, description, preview })),
    multiSelect,
  }
}

type Problems = Generator<Problem, void>

function* inputProblems(input: unknown, limits: Limits): Problems {
  if (!isObject(input)) return yield mustBe('object', input, '')
  const { questions, attachments } = input
  yield* listProblems(questions, 'questions', 1, limits.questions)
  if (!Array.isArray(questions)) return
  for (const [i, question] of questions.entries()) {
    yield* questionProblems(question, `questions[${i}]`, questions.slice(0, i), limits)
  }
  yield* pathProblems(attachments)
}

function* pathProblems(given: unknown): Problems {
  if (given === undefined || given === null) return
  yield* listProblems(given, 'attachments', 0, attachmentLimits.files)
  if (!Array.isArray(given)) return
  for (const [i, path] of given.entries()) {
    yield* textProblems(path, `attachments[${i}]`, hubLimits.path, hubLimits.path)
  }
}

function* questionProblems(given: unknown, path: string, earlier: readonly unknown[], limits: Limits): Problems {
  if (!isObject(given)) return yield mustBe('object', given, path)
  const { question, header, options, multiSelect } = given
  yield* textProblems(question, `${path}.question`, limits.question, hubLimits.question)
  yield* repetition('question', given, path, earlier)
  yield* textProblems(header, `${path}.header`, limits.header, hubLimits.header)
  if (isSeveralLines(header)) yield { path: `${path}.header`, message: 'String must be a single line' }
  yield* repetition('header', given, path, earlier)
  yield* listProblems(options, `${path}.options`, 2, limits.options)
  if (Array.isArray(options)) {
    for (const [i, option] of options.entries()) {
      yield* optionProblems(option, `${path}.options[${i}]`, options.slice(0, i))
    }
  }
  if (typeof multiSelect !== 'boolean') yield mustBe('boolean', multiSelect, `${path}.multiSelect`)
}

function* optionProblems(given: unknown, path: string, earlier: readonly unknown[]): Problems {
  if (!isObject(given)) return yield mustBe('object', given, path)
  const { label, description, preview } = given
  yield* textProblems(label, `${path}.label`, 50, hubLimits.label)
  yield* repetition('label', given, path, earlier)
  yield* textProblems(description, `${path}.description`, 200, hubLimits.description)
  if (preview === undefined || isBlank(preview)) return
  yield* textProblems(preview, `${path}.preview`, hubLimits.preview, hubLimits.preview)
}

function* listProblems(given: unknown, path: string, least: number, most: number): Problems {
  if (!Array.isArray(given)) return yield mustBe('array', given, path)
  if (given.length < least) yield { path, message: `Array must contain at least ${least} element(s)` }
  if (given.length > most) yield { path, message: `Array must contain at most ${most} element(s)` }
}

/** `most` counts characters; the hub's limit counts UTF-16 units. */
function* textProblems(given: unknown, path: string, most: number, hubCap: number): Problems {
  if (typeof given !== 'string') return yield mustBe('string', given, path)
  if (isBlank(given)) return yield { path, message: 'String must contain at least 1 character(s)' }
  if (given.length > most && [...given].length > most) {
    yield { path, message: `String must contain at most ${most} character(s)` }
  } else if (given.length > hubCap) {
    yield { path, message: `String must contain at most ${hubCap} UTF-16 unit(s)` }
  }
  if (given.includes('\0')) yield { path, message: 'String must not contain a NUL character' }
  if (!given.isWellFormed()) yield { path, message: 'String must not contain half of a surrogate pair' }
}

/** Like the hub, treats texts as equal that look the same to a person. */
function* repetition(field: string, given: Fields, path: string, earlier: readonly unknown[]): Problems {
  const text = canonical(given[field])
  if (text === '' || !earlier.some(one => isObject(one) && canonical(one[field]) === text)) return
  yield { path: `${path}.${field}`, message: `Must differ from every earlier ${field}` }
}

function canonical(text: unknown): string {
  return typeof text === 'string' ? text.trim().normalize('NFC') : ''
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}

function isSeveralLines(text: unknown): boolean {
  return typeof text === 'string' && /[\r\n\u2028\u2029]/.test(text.trim())
}

function mustBe(type: string, given: unknown, path: string): Problem {
  return { path, message: given === undefined ? 'Required' : `Expected ${type}, received ${typeOf(given)}` }
}

function typeOf(given: unknown): string {
  if (given === null) return 'null'
  return Array.isArray(given) ? 'array' : typeof given
}

type Fields = Record<string, unknown>

function isObject(given: unknown): given is Fields {
  return typeOf(given) === 'object'
}
