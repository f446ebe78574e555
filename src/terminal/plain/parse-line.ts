import type { AnswerForm } from '../../form/answer-form.ts'
import type { Field } from '../../form/fields.ts'
import { validateAnswer } from '../../rules/answers.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Line } from './read-lines.ts'

/** What a line says: it was filled in, it asks for a text of one's own, it is a command, or it is refused. */
export type Reading = 'filled' | 'own' | { command: string; rest: string } | { refused: string }

const commands = ['decline', 'skip', 'note', 'back', 'leave', 'help', 'options']

/** A word after a slash; a text that begins like one is written with two. */
export function commandIn(line: string): { command: string; rest: string } | { refused: string } | null {
  const [, word, rest = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(line) ?? []
  if (word === undefined) return null
  const command = word.toLowerCase()
  if (commands.includes(command)) return { command, rest: rest.trim() }
  // A path has more than one slash; a misspelt command has not.
  return rest === ''
    ? {
        refused: `/${harmlessTitle(word)} is no command; /help tells them. As an answer, write //${harmlessTitle(word)}`,
      }
    : null
}

/** Reads a line against a question and fills in what it says. Nothing is guessed: what is unclear is refused. */
export function readLine(form: AnswerForm, i: number, { text: line, typed }: Line): Reading {
  const field = form.field(i)
  const entered = line.trim()
  const isLabel = field.question.options.some(({ label }) => label.trim() === entered)
  const command = isLabel || field.secret ? null : commandIn(line)
  if (command) return command
  if (field.question.options.length === 0) return readText(form, i, field.secret ? line : literal(line))
  if (entered === '') return readEmpty(form, i)
  if (!isLabel && field.question.allowOther && /^(0|other)$/i.test(entered)) return 'own'
  return readChoice(form, i, entered, { isLabel, typed })
}

/** Two slashes stand for one. */
export function literal(line: string): string {
  return line.replace(/^(\s*)\/\//, '$1/')
}

function readText(form: AnswerForm, i: number, line: string): Reading {
  if (line.trim() === '') return readEmpty(form, i)
  form.change(i, { text: line })
  return 'filled'
}

/** An empty line is the default, if there is one; a blank, where that is allowed; otherwise it is nothing. */
function readEmpty(form: AnswerForm, i: number): Reading {
  if (form.field(i).question.default !== null) {
    form.useDefault(i)
    return 'filled'
  }
  if (form.request.required) return { refused: 'An answer is needed.' }
  form.change(i, { chosen: [], own: false, text: '' })
  return 'filled'
}

function readChoice(
  form: AnswerForm,
  i: number,
  entered: string,
  { isLabel, typed }: { isLabel: boolean; typed: boolean },
): Reading {
  const { question, confirmation } = form.field(i)
  const several = question.multiSelect && !isLabel
  const parts = several ? partsOf(question, entered) : [entered]
  if (parts.some(part => part === ''))
    return { refused: `"${harmlessTitle(entered)}" has an empty place between its commas.` }
  if (several && parts.length > 1 && parts.includes('0'))
    return { refused: '0 stands alone: it asks for a text of your own.' }
  const verdict = validateAnswer({ ...question, required: true }, question.multiSelect ? parts : (parts[0] ?? ''))
  if (!verdict.valid) return { refused: explain(verdict.error, question, parts) }
  const positions = verdict.selected.map(label => question.options.findIndex(option => option.label === label))
  const [chosen] = verdict.selected
  if (confirmation && chosen === confirmation.label && entered.toLowerCase() !== confirmation.word) {
    return { refused: `This is dangerous: to approve it, type the word ${confirmation.word}.` }
  }
  if (confirmation && chosen === confirmation.label && !typed) {
    return {
      refused: 'This is dangerous: it is approved by a word typed at a terminal, not by one that was pasted or piped.',
    }
  }
  form.change(i, { chosen: positions, own: false })
  return 'filled'
}

/** Commas separate; in a list of numbers alone, spaces do, too. */
function partsOf({ options }: Field['question'], entered: string): string[] {
  const parts = entered.split(',').map(part => part.trim())
  const known = (part: string) => options.some(({ label }) => label.trim() === part)
  return parts.flatMap(part => (/^[#\d]+(\s+[#\d]+)+$/.test(part) && !known(part) ? part.split(/\s+/) : [part]))
}

function explain(error: string, { options }: Field['question'], parts: readonly string[]): string {
  if (!error.startsWith('Answer must be one of')) return harmlessTitle(error)
  const wrong = parts.find(part => !validateAnswer({ options, required: true }, part).valid) ?? parts.join(',')
  return `"${harmlessTitle(wrong)}" is none of the options: enter a number from 1 to ${options.length}.`
}
