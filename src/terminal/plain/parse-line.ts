import type { AnswerForm } from '../../form/answer-form.ts'
import type { Field } from '../../form/fields.ts'
import { validateAnswer } from '../../rules/validate-answers.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Line } from './read-lines.ts'

/**
 * The line was an answer and is filled in; asks to enter a custom answer, another version of an approval, or the reason
 * for a no; is a command; or is refused.
 */
export type ParsedLine =
  | 'filled'
  | 'other'
  | 'edit'
  | 'reason'
  | { command: string; rest: string }
  | { refused: string }

const commands = [
  'decline',
  'skip',
  'note',
  'back',
  'leave',
  'help',
  'options',
  'use',
  'discard',
  'last',
  'ask',
  'snooze',
]

/** A command is a word after a slash. An answer that starts with a slash is written with two. A paste is neither. */
export function parseCommand(line: string): { command: string; rest: string } | { refused: string } | null {
  if (line.includes('\n')) return null
  const [, word, rest = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(line) ?? []
  if (word === undefined) return null
  const command = word.toLowerCase()
  if (commands.includes(command)) return { command, rest: rest.trim() }
  // A path has more than one slash, a misspelt command has not.
  return rest === ''
    ? {
        refused: `/${harmlessTitle(word)} is not a command; see /help. To answer with this text, type //${harmlessTitle(word)}`,
      }
    : null
}

/** Parses a line as the answer to a question and fills it in. Never guesses: refuses whatever is ambiguous. */
export function parseLine(form: AnswerForm, i: number, { text: line, typed }: Line): ParsedLine {
  const field = form.field(i)
  const entered = line.trim()
  const isLabel = field.question.options.some(({ label }) => label.trim() === entered)
  const command = isLabel || field.secret ? null : parseCommand(line)
  if (command) return command
  if (field.question.options.length === 0) return parseText(form, i, field.secret ? line : unescapeSlash(line))
  if (entered === '') return parseEmpty(form, i)
  if (!isLabel && field.question.allowOther && /^(0|other)$/i.test(entered)) return 'other'
  const more = isLabel ? -1 : moreOf(form, i, entered)
  if (more >= 0) return moreKinds[more] ?? 'filled'
  return parseChoice(form, i, entered, { isLabel, typed })
}

const moreKinds = ['edit', 'reason'] as const
const moreTitles = ['edit it, and approve your version', 'no, and tell it why']

/** What an approval offers below its options. */
export function moreRows({ request }: AnswerForm): readonly string[] {
  return request.kind === 'approval' ? moreTitles : []
}

function moreOf(form: AnswerForm, i: number, entered: string): number {
  if (form.request.kind !== 'approval') return -1
  const number = /^\d+$/.test(entered) ? Number(entered) - form.field(i).question.options.length - 1 : -1
  return /^edit$/i.test(entered) ? 0 : number < moreKinds.length ? number : -1
}

/** Replaces two leading slashes by one. */
export function unescapeSlash(line: string): string {
  return line.includes('\n') ? line : line.replace(/^(\s*)\/\//, '$1/')
}

function parseText(form: AnswerForm, i: number, line: string): ParsedLine {
  if (line.trim() === '') return parseEmpty(form, i)
  form.change(i, { text: line })
  return 'filled'
}

/** An empty line means the default, if there is one; otherwise it leaves an optional question blank, where it may. */
function parseEmpty(form: AnswerForm, i: number): ParsedLine {
  if (form.field(i).question.default !== null) {
    form.useDefault(i)
    return 'filled'
  }
  if (form.request.required) return { refused: 'An answer is needed.' }
  if (!mayBeBlank(form, i)) return { refused: 'Nothing is chosen. Enter a number, or type /skip to skip the request.' }
  form.change(i, { chosen: [], own: false, text: '' })
  return 'filled'
}

/** Where options are all there is to answer, an empty line is more likely a slip than a decision to skip. */
export function mayBeBlank(form: AnswerForm, i: number): boolean {
  return form.fields.length > 1 || form.field(i).question.options.length === 0
}

function parseChoice(
  form: AnswerForm,
  i: number,
  entered: string,
  { isLabel, typed }: { isLabel: boolean; typed: boolean },
): ParsedLine {
  const { question, confirmation } = form.field(i)
  const splits = question.multiSelect && !isLabel
  const parts = splits ? splitChoices(question, entered) : [entered]
  if (parts.some(part => part === ''))
    return { refused: `"${harmlessTitle(entered)}" has nothing between two of its commas.` }
  if (splits && parts.length > 1 && parts.includes('0'))
    return { refused: 'Enter 0 on its own to write a custom answer.' }
  const result = validateAnswer({ ...question, required: true }, question.multiSelect ? parts : (parts[0] ?? ''))
  if (!result.valid) return { refused: explain(result.error, question, parts, moreRows(form).length) }
  const positions = result.selected.map(label => question.options.findIndex(option => option.label === label))
  const [chosen] = result.selected
  if (confirmation && chosen === confirmation.label && entered.toLowerCase() !== confirmation.word) {
    return { refused: `This is dangerous. Type the word ${confirmation.word} to approve it.` }
  }
  if (confirmation && chosen === confirmation.label && !typed) {
    return {
      refused: 'This is dangerous. To approve it, type the word at a terminal; pasted or piped input does not count.',
    }
  }
  form.change(i, { chosen: positions, own: false })
  return 'filled'
}

/** Commas separate; in a list of numbers, spaces do too. */
function splitChoices({ options }: Field['question'], entered: string): string[] {
  const parts = entered.split(',').map(part => part.trim())
  const known = (part: string) => options.some(({ label }) => label.trim() === part)
  return parts.flatMap(part => (/^[#\d]+(\s+[#\d]+)+$/.test(part) && !known(part) ? part.split(/\s+/) : [part]))
}

function explain(error: string, { options }: Field['question'], parts: readonly string[], more: number): string {
  if (!error.startsWith('Answer must be one of')) return harmlessTitle(error)
  const wrong = parts.find(part => !validateAnswer({ options, required: true }, part).valid) ?? parts.join(',')
  return `"${harmlessTitle(wrong)}" is not one of the options. Enter a number from 1 to ${options.length + more}.`
}
