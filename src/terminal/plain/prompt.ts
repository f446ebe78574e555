import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { describeRequest } from '../describe-request.ts'
import { paint } from '../paint.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { box, hint } from './box.ts'
import { mayBeBlank, parseCommand, parseLine, unescapeSlash } from './parse-line.ts'
import { type Lines, openLines } from './read-lines.ts'

/**
 * Prompts in plain lines, for screen readers, dumb terminals and pipes. A caller that already reads lines passes its
 * reader, so that no line is lost between two readers.
 */
export async function promptPlain(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  signal: AbortSignal,
  given?: Lines,
): Promise<PromptEnd> {
  const form = new AnswerForm(request)
  const lines = given ?? (await openLines(terminal, signal))
  try {
    say(introduction(request, columnsOf(terminal)))
    for (;;) {
      const decision = await fillIn(form, lines, terminal, say)
      if (decision === null) return 'left'
      const result = await submit(hub, request.id, decision)
      if (!('refused' in result)) return result
      say(harmlessTitle(result.refused))
    }
  } finally {
    if (!given) await lines.close()
  }

  function say(text: string) {
    terminal.output.write(`${text}\n`)
  }
}

type Say = (text: string) => void
/** Go to the next or previous question, decide, ask the same question again, or null if the person left. */
type Step = 1 | -1 | Decision | null | 'again'

/** Asks question after question. Null if the person left. */
async function fillIn(form: AnswerForm, lines: Lines, terminal: Terminal, say: Say): Promise<Decision | null> {
  for (;;) {
    for (let i = 0; i < form.fields.length; ) {
      const step = await fillOne(form, i, lines, terminal, say)
      if (step === null || typeof step === 'object') return step
      i = Math.max(0, i + step)
    }
    const decision = form.decision()
    if (decision.verb !== 'skip' || form.fields.length === 1) return decision
    say('No question is answered. Answer at least one, or type /skip to skip the request.')
  }
}

async function fillOne(
  form: AnswerForm,
  i: number,
  lines: Lines,
  terminal: Terminal,
  say: Say,
): Promise<Exclude<Step, 'again'>> {
  const field = form.field(i)
  say(box(field, columnsOf(terminal)))
  const { default: byDefault } = field.question
  if (byDefault !== null) say(`Press Enter for the default: ${harmlessTitle([byDefault].flat().join(', '))}`)
  else if (!form.request.required) say(howToPass(form, i))
  for (;;) {
    const line = await lines.next(hint(field), { hidden: field.secret })
    if (line === null) return null
    const parsed = parseLine(form, i, line)
    if (parsed === 'filled' || parsed === 'other') {
      const whole = await (parsed === 'other' ? enterCustom(form, i, lines, say) : complete(form, i, lines, say))
      if (whole !== 'again') return whole
    } else if ('refused' in parsed) say(parsed.refused)
    else {
      const done = runCommand(form, i, parsed, say)
      if (done !== 'again') return done
    }
  }
}

function howToPass(form: AnswerForm, i: number): string {
  if (!mayBeBlank(form, i)) return 'Type /skip to skip it.'
  return `Press Enter to ${form.fields.length > 1 ? 'leave it blank' : 'skip it'}.`
}

function runCommand(form: AnswerForm, i: number, { command, rest }: { command: string; rest: string }, say: Say): Step {
  switch (command) {
    case 'back':
      return -1
    case 'leave':
      return null
    case 'skip':
      if (!form.request.required) return { verb: 'skip', note: form.entry(0).note.trim() || null }
      say('This request is required, so it cannot be skipped. Type /decline REASON to decline it.')
      return 'again'
    case 'decline':
      if (rest !== '') return { verb: 'decline', reason: rest }
      say('Add a reason: /decline REASON')
      return 'again'
    case 'note':
      form.change(i, { note: rest })
      say(rest === '' ? 'Note removed.' : 'Note saved.')
      return 'again'
    default:
      say(help)
      return 'again'
  }
}

/** Asks for a custom answer, which replaces what was chosen before. */
function enterCustom(form: AnswerForm, i: number, lines: Lines, say: Say): Promise<Step> {
  const empty = 'A custom answer cannot be empty. Type /options to go back to the options.'
  return enterText(form, i, lines, say, { prompt: 'Enter your answer: ', empty }, text => {
    form.clear(i)
    form.write(i, text)
  })
}

/** Asks for the text that a choice requires, such as what should be changed. */
async function complete(form: AnswerForm, i: number, lines: Lines, say: Say): Promise<Step> {
  const { textRequiredBy } = form.field(i)
  if (textRequiredBy === null || !form.labels(i).includes(textRequiredBy)) return 1
  const texts = { prompt: 'What should be changed? ', empty: 'Say what should be changed.' }
  return enterText(form, i, lines, say, texts, text => form.change(i, { text }))
}

async function enterText(
  form: AnswerForm,
  i: number,
  lines: Lines,
  say: Say,
  { prompt, empty }: { prompt: string; empty: string },
  save: (text: string) => void,
): Promise<Step> {
  for (;;) {
    const line = await lines.next(prompt)
    if (line === null) return null
    const command = parseCommand(line.text)
    if (command && 'refused' in command) say(command.refused)
    else if (command?.command === 'options') return 'again'
    else if (command) {
      const done = runCommand(form, i, command, say)
      if (done !== 'again') return done
    } else if (line.text.trim() === '') say(empty)
    else {
      save(unescapeSlash(line.text))
      return 1
    }
  }
}

function introduction(request: Request, columns: number): string {
  const more = line(`(${request.id}; type /help for other commands)`)
  return ['', ...[...describeRequest(request, columns), ...wrap(more, columns)].map(one => paint(one, false))].join(
    '\n',
  )
}

const help = `  /decline REASON  decline the request
  /skip            skip it, if it is optional
  /note TEXT       add a note to the answer
  /back            go back to the previous question
  /leave           leave it open to answer it later`
