import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { about } from '../describe-request.ts'
import { paint } from '../paint.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { box, hint } from './box.ts'
import { commandIn, literal, readLine } from './parse-line.ts'
import { type Lines, openLines } from './read-lines.ts'

/**
 * Asks line by line: for screen readers, dumb terminals, and pipes that somebody types into. Whoever reads lines already
 * gives theirs, so that none is lost between two readers.
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
/** How many questions to go on, or back; the decision that a command was; once more; or null when the person left. */
type Step = 1 | -1 | Decision | null | 'again'

/** Question by question to the end. Null when the person left. */
async function fillIn(form: AnswerForm, lines: Lines, terminal: Terminal, say: Say): Promise<Decision | null> {
  for (let i = 0; i < form.fields.length; ) {
    const step = await fillOne(form, i, lines, terminal, say)
    if (step === null || typeof step === 'object') return step
    i = Math.max(0, i + step)
  }
  return form.decision()
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
  if (byDefault !== null) say(`An empty line is: ${harmlessTitle([byDefault].flat().join(', '))}`)
  else if (!form.request.required) say(`An empty line ${form.fields.length > 1 ? 'leaves it blank' : 'skips it'}.`)
  for (;;) {
    const line = await lines.next(hint(field), { hidden: field.secret })
    if (line === null) return null
    const reading = readLine(form, i, line)
    if (reading === 'filled' || reading === 'own') {
      const whole = await (reading === 'own' ? writeOwn(form, i, lines, say) : complete(form, i, lines, say))
      if (whole !== 'again') return whole
    } else if ('refused' in reading) say(reading.refused)
    else {
      const done = obey(form, i, reading, say)
      if (done !== 'again') return done
    }
  }
}

function obey(form: AnswerForm, i: number, { command, rest }: { command: string; rest: string }, say: Say): Step {
  switch (command) {
    case 'back':
      return -1
    case 'leave':
      return null
    case 'skip':
      if (!form.request.required) return { verb: 'skip', note: form.entry(0).note.trim() || null }
      say('This one is required and cannot be skipped. /decline REASON says no.')
      return 'again'
    case 'decline':
      if (rest !== '') return { verb: 'decline', reason: rest }
      say('Say why: /decline REASON')
      return 'again'
    case 'note':
      form.change(i, { note: rest })
      say(rest === '' ? 'The note is gone.' : 'Noted.')
      return 'again'
    default:
      say(help)
      return 'again'
  }
}

/** An answer of one's own, in place of whatever was chosen before. */
function writeOwn(form: AnswerForm, i: number, lines: Lines, say: Say): Promise<Step> {
  const empty = 'An answer of your own cannot be empty. /options goes back to the options.'
  return writeText(form, i, lines, say, { prompt: 'Enter your answer: ', empty }, text => {
    form.clear(i)
    form.write(i, text)
  })
}

/** What a choice takes beside it, such as what should be changed. */
async function complete(form: AnswerForm, i: number, lines: Lines, say: Say): Promise<Step> {
  const { textRequiredBy } = form.field(i)
  if (textRequiredBy === null || !form.labels(i).includes(textRequiredBy)) return 1
  const words = { prompt: 'What should be changed? ', empty: 'Say what should be changed.' }
  return writeText(form, i, lines, say, words, text => form.change(i, { text }))
}

async function writeText(
  form: AnswerForm,
  i: number,
  lines: Lines,
  say: Say,
  { prompt, empty }: { prompt: string; empty: string },
  take: (text: string) => void,
): Promise<Step> {
  for (;;) {
    const line = await lines.next(prompt)
    if (line === null) return null
    const command = commandIn(line.text)
    if (command && 'refused' in command) say(command.refused)
    else if (command?.command === 'options') return 'again'
    else if (command) {
      const done = obey(form, i, command, say)
      if (done !== 'again') return done
    } else if (line.text.trim() === '') say(empty)
    else {
      take(literal(line.text))
      return 1
    }
  }
}

function introduction(request: Request, columns: number): string {
  const more = line(`(${request.id}; /help tells what else can be typed)`)
  return ['', ...[...about(request, columns), ...wrap(more, columns)].map(one => paint(one, false))].join('\n')
}

const help = `  /decline REASON  say no
  /skip            pass it over, where it is optional
  /note TEXT       a word beside the answer
  /back            to the question before
  /leave           leave it open; it can be answered later`
