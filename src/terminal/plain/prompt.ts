import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { about } from '../about.ts'
import { keepDrafts } from '../drafts.ts'
import { harmlessTitle } from '../harmless.ts'
import { type Decision, Sheet } from '../sheet.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { line, paint, wrap } from '../text.ts'
import { box, hint } from './box.ts'
import { type Lines, openLines } from './lines.ts'
import { readLine } from './reading.ts'

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
  const sheet = new Sheet(request)
  const drafts = await keepDrafts(hub, sheet)
  const lines = given ?? (await openLines(terminal, signal))
  try {
    say(introduction(request, columnsOf(terminal)))
    for (;;) {
      const decision = await fillIn(sheet, lines, terminal, say)
      if (decision === null) return 'left'
      const result = await submit(hub, request.id, decision)
      if (!('refused' in result)) return result
      say(harmlessTitle(result.refused))
    }
  } finally {
    if (!given) lines.close()
    drafts.changed()
    await drafts.flush()
  }

  function say(text: string) {
    terminal.output.write(`${text}\n`)
  }
}

type Say = (text: string) => void

/** Question by question to the end. Null when the person left. */
async function fillIn(sheet: Sheet, lines: Lines, terminal: Terminal, say: Say): Promise<Decision | null> {
  for (let i = 0; i < sheet.fields.length; ) {
    const step = await fillOne(sheet, i, lines, terminal, say)
    if (step === null || typeof step === 'object') return step
    i = Math.max(0, i + step)
  }
  return sheet.decision()
}

/** How many questions to go on, or back; or the decision that a command was. */
async function fillOne(
  sheet: Sheet,
  i: number,
  lines: Lines,
  terminal: Terminal,
  say: Say,
): Promise<1 | -1 | Decision | null> {
  const field = sheet.field(i)
  say(box(field, columnsOf(terminal)))
  const { default: byDefault } = field.question
  if (byDefault !== null) say(`An empty line is: ${harmlessTitle([byDefault].flat().join(', '))}`)
  else if (!sheet.request.required) say('An empty line leaves it blank.')
  for (;;) {
    const line = await lines.next(hint(field), { hidden: field.secret })
    if (line === null) return null
    const reading = readLine(sheet, i, line)
    if (reading === 'filled' || reading === 'own') {
      const whole = await (reading === 'own' ? writeOwn(sheet, i, lines, say) : complete(sheet, i, lines, say))
      if (whole !== 'again') return whole
    } else if ('refused' in reading) say(reading.refused)
    else {
      const done = obey(sheet, i, reading, say)
      if (done !== 'again') return done
    }
  }
}

function obey(
  sheet: Sheet,
  i: number,
  { command, rest }: { command: string; rest: string },
  say: Say,
): -1 | Decision | null | 'again' {
  switch (command) {
    case 'back':
      return -1
    case 'leave':
      return null
    case 'skip':
      if (!sheet.request.required) return { verb: 'skip', note: sheet.entry(0).note.trim() || null }
      say('This one is required and cannot be skipped. /decline REASON says no.')
      return 'again'
    case 'decline':
      if (rest !== '') return { verb: 'decline', reason: rest }
      say('Say why: /decline REASON')
      return 'again'
    case 'note':
      sheet.change(i, { note: rest })
      say(rest === '' ? 'The note is gone.' : 'Noted.')
      return 'again'
    default:
      say(help)
      return 'again'
  }
}

async function writeOwn(sheet: Sheet, i: number, lines: Lines, say: Say): Promise<1 | null | 'again'> {
  for (;;) {
    const text = await lines.next('Enter your answer: ')
    if (text === null) return null
    if (text.trim() === '/options') return 'again'
    if (text.trim() !== '') {
      sheet.write(i, text)
      return 1
    }
    say('An answer of your own cannot be empty. /options goes back to the options.')
  }
}

/** What a choice takes beside it, such as what should be changed. */
async function complete(sheet: Sheet, i: number, lines: Lines, say: Say): Promise<1 | null> {
  const { textWith } = sheet.field(i)
  if (textWith === null || !sheet.labels(i).includes(textWith)) return 1
  for (;;) {
    const text = await lines.next('What should be changed? ')
    if (text === null) return null
    if (text.trim() !== '') {
      sheet.change(i, { text })
      return 1
    }
    say('Say what should be changed.')
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
