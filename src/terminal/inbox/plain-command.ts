import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import { parseDuration } from '../../protocol/duration.ts'
import { alwaysLabels } from '../../rules/questions.ts'
import { togetherProblem } from '../../rules/together.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { parseLine } from '../plain/parse-line.ts'
import type { Item } from './item.ts'

/** What a line asks for. The requests are those of the numbers in it. */
export type PlainCommand =
  | 'reload'
  | 'snoozed'
  | 'quit'
  | 'help'
  | { readonly filter: string }
  | { readonly open: Item }
  | { readonly settle: readonly Item[]; readonly by: Decision }
  | { readonly last: Item }
  | { readonly ask: Item; readonly text: string }
  | { readonly snooze: readonly Item[]; readonly until: string | null }
  | { readonly refused: string }

const words: Record<string, PlainCommand> = {
  r: 'reload',
  reload: 'reload',
  z: 'snoozed',
  q: 'quit',
  quit: 'quit',
  help: 'help',
  h: 'help',
  '?': 'help',
}
const verbs = ['open', 'answer', 'skip', 'decline', 'last', 'ask', 'snooze', 'wake']

/** Reads a line: a number, a word, or a verb with numbers, as in `answer 3 yes` or `decline 1,4-6 not now`. */
export function readPlainCommand(line: string, items: readonly Item[], now: number): PlainCommand {
  const entered = line.trim()
  const word = words[entered.toLowerCase()]
  if (word) return word
  const [, filter] = /^filter(?:\s+([\s\S]*))?$/i.exec(entered) ?? []
  if (/^filter\b/i.test(entered)) return { filter: filter ?? '' }
  const [, verb = 'open', numbers, rest = ''] = /^(?:([a-z]+)\s+)?([\d,-]+)(?:\s+([\s\S]*))?$/i.exec(entered) ?? []
  if (numbers === undefined || !verbs.includes(verb.toLowerCase())) return { refused: unknown(items) }
  const chosen = itemsOf(numbers, items)
  return chosen ? act(verb.toLowerCase(), chosen, rest.trim(), now) : { refused: unknown(items) }
}

function act(verb: string, items: readonly Item[], rest: string, now: number): PlainCommand {
  const requests = items.map(({ request }) => request)
  const [item] = items
  if (!item) return { refused: 'Give a number.' }
  switch (verb) {
    case 'answer':
      return answer(items, rest)
    case 'decline': {
      const problem = items.length > 1 ? togetherProblem(requests, 'decline') : null
      if (problem) return { refused: problem }
      return rest === ''
        ? { refused: 'Add a reason: decline 1 REASON' }
        : decide(items, { verb: 'decline', reason: rest })
    }
    case 'snooze': {
      const time = parseDuration(rest === '' ? '1h' : rest)
      return time === null
        ? { refused: `"${harmlessTitle(rest)}" is not a duration. Type snooze 1 30m, 4h or 2d.` }
        : { snooze: items, until: new Date(now + time).toISOString() }
    }
    case 'wake':
      return { snooze: items, until: null }
  }
  if (items.length > 1) return { refused: 'This is done one by one.' }
  if (verb === 'skip') return decide(items, { verb: 'skip', note: rest === '' ? null : rest })
  if (verb === 'last') return { last: item }
  if (verb === 'ask') return rest === '' ? { refused: 'Add a message: ask 1 TEXT' } : { ask: item, text: rest }
  return rest === '' ? { open: item } : { refused: 'To answer, type answer and the number, as in: answer 1 yes' }
}

/** What needs more than one line is answered in the opened request. */
function answer(items: readonly Item[], entered: string): PlainCommand {
  const [item] = items
  const problem =
    items.length > 1
      ? togetherProblem(
          items.map(({ request }) => request),
          'answer',
        )
      : null
  if (!item || problem) return { refused: problem ?? 'Give a number.' }
  const form = new AnswerForm(item.request)
  const { secret, confirmation, textRequiredBy } = form.field(0)
  const open = 'Enter its number to open it.'
  if (form.fields.length > 1) return { refused: `It asks ${form.fields.length} questions. ${open}` }
  if (secret) return { refused: `What it needs is a secret, which would be visible here. ${open}` }
  if (entered === '') return { refused: 'Add the answer: answer 1 VALUE' }
  // Typed or not, what is dangerous is refused below.
  const parsed = parseLine(form, 0, { text: entered, typed: true })
  if (typeof parsed === 'object' && 'refused' in parsed) return parsed
  if (parsed !== 'filled') return { refused: `This needs more than a word. ${open}` }
  const labels = form.labels(0)
  if (confirmation && labels.includes(confirmation.label))
    return { refused: `This is dangerous: approve it in the opened request. ${open}` }
  if (textRequiredBy !== null && labels.includes(textRequiredBy))
    return { refused: `Say what should be changed in the opened request. ${open}` }
  if (items.length > 1 && labels.some(label => Object.values(alwaysLabels).includes(label)))
    return { refused: 'What is allowed always is decided one by one.' }
  const wrong = form.problem(0)
  return wrong ? { refused: wrong } : decide(items, form.decision())
}

function decide(items: readonly Item[], by: Decision): PlainCommand {
  return { settle: items, by }
}

/** `1,4-6`; null where one of them is not on the list. */
function itemsOf(numbers: string, items: readonly Item[]): Item[] | null {
  const chosen = new Set<Item>()
  for (const part of numbers.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (!(from >= 1 && to >= from && to <= items.length)) return null
    for (const item of items.slice(from - 1, to)) chosen.add(item)
  }
  return [...chosen]
}

function unknown(items: readonly Item[]): string {
  return items.length > 0
    ? `Enter a number from 1 to ${items.length}, r, q or help.`
    : 'Nothing is waiting. Enter r or q.'
}

export const plainHelp = `
  1                  open the request with this number
  answer 1 VALUE     answer it: the number or the label of an option, or a text
  skip 1             skip it, if it is optional
  decline 1 REASON   decline it
  last 1             answer the same as last time
  ask 1 TEXT         ask the agent back; the request stays open
  snooze 1 2h        hide it from your inbox for this long; wake 1 brings it back
  answer 1,4-6 yes   several that ask the same; decline and snooze take several too
  filter WORDS       show only these; also project:NAME, agent:NAME, kind:NAME; filter alone shows everything
  z                  show what is snoozed, or what waits
  r                  reload the list
  q                  quit; all requests stay open`
