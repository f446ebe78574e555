import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import { parseDuration } from '../../protocol/duration.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { describeRequest } from '../describe-request.ts'
import { dueText } from '../due-text.ts'
import { followRequest } from '../follow-request.ts'
import { answerAgain, lastAnswerText, loadLastAnswer } from '../last-answer.ts'
import { paint } from '../paint.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { threadLines } from '../thread.ts'
import { box, hint } from './box.ts'
import { type Conversation, explain, type Step } from './conversation.ts'
import { countDown } from './count-down.ts'
import { plainDrafts } from './drafts.ts'
import { declineWithReason, editAction } from './edit-action.ts'
import { nextText } from './next-text.ts'
import { mayBeBlank, moreRows, type ParsedLine, parseCommand, parseLine, unescapeSlash } from './parse-line.ts'
import { type Lines, openLines } from './read-lines.ts'

export interface PlainOptions {
  signal: AbortSignal
  now: () => number
  /** Gets what was typed before the prompt was visible. */
  onEarly?: ((text: string) => void) | undefined
  /** The caller's reader. */
  lines?: Lines
}

/**
 * Prompts in plain lines, for screen readers, dumb terminals and pipes. A caller that already reads lines passes its
 * reader, so that no line is lost between two readers.
 */
export async function promptPlain(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, now, onEarly, lines: given }: PlainOptions,
): Promise<PromptEnd> {
  const form = new AnswerForm(request)
  const lines = given ?? (await openLines(terminal, signal, onEarly))
  const closed = new AbortController()
  let latest = request
  let isSettledHere = false
  try {
    const drafts = await plainDrafts(hub, form)
    const last = await loadLastAnswer(hub, request)
    const lastTime = last && `${lastAnswerText(last, terminal.env, now())}. Type /last to answer the same.`
    const notices = [...drafts.introduction(now()), lastTime, dueText(request, now())]
    say(introduction(request, columnsOf(terminal), now(), notices))
    void followRequest(hub, request, closed.signal, onChange)
    void countDown(request, { now, signal: closed.signal, say: text => lines.interject(text) })
    for (;;) {
      const decision = await fillIn({ form, lines, terminal, say, drafts, last, hub, now })
      if (decision === null) return 'left'
      const result = await submit(hub, request.id, decision)
      if (!('refused' in result)) {
        isSettledHere = true
        return result
      }
      say(harmlessTitle(result.refused))
    }
  } finally {
    closed.abort()
    if (!given) await lines.close(isSettledHere ? 'line' : undefined)
  }

  /** A reminder, or messages that the person has not read yet. */
  function onChange(changed: Request) {
    const news = changed.messages.slice(latest.messages.length)
    if (changed.remindAt !== latest.remindAt) lines.interject(dueText(changed, now()) ?? '')
    latest = changed
    if (news.length > 0) lines.interject(plainThread(news, columnsOf(terminal), now()))
  }

  function say(text: string) {
    terminal.output.write(`${text}\n`)
  }
}

/** Asks question after question. Null if the person left. */
async function fillIn(conversation: Conversation): Promise<Decision | null> {
  const { form, say } = conversation
  for (;;) {
    for (let i = 0; i < form.fields.length; ) {
      const step = await fillOne(conversation, i)
      if (step === null || typeof step === 'object') return step
      // After a draft was filled in, the person sees all of it.
      i = step === 'first' ? 0 : Math.max(0, i + step)
    }
    const decision = form.decision()
    if (decision.verb !== 'skip' || form.fields.length === 1) return decision
    say('No question is answered. Answer at least one, or type /skip to skip the request.')
  }
}

async function fillOne(conversation: Conversation, i: number): Promise<Exclude<Step, 'again'>> {
  const { form, lines, terminal, say, drafts } = conversation
  const field = form.field(i)
  say(box(field, columnsOf(terminal), moreRows(form)))
  const { default: byDefault } = field.question
  const isDrafted = drafts.isFilledIn(i)
  if (isDrafted) say(`Press Enter to keep: ${form.summary(i).map(harmlessTitle).join(', ')}`)
  else if (byDefault !== null) say(`Press Enter for the default: ${harmlessTitle([byDefault].flat().join(', '))}`)
  else if (!form.request.required) say(howToPass(form, i))
  for (;;) {
    const line = await (isText(form, i)
      ? nextText(lines, hint(field), { hidden: field.secret })
      : lines.next(hint(field), { hidden: field.secret }))
    if (line === null) return null
    if (isDrafted && line.text.trim() === '') return 1
    const parsed = parseLine(form, i, line)
    if (typeof parsed === 'string') {
      const whole = await carryOn[parsed](conversation, i)
      if (whole !== 'again') return whole
    } else if ('refused' in parsed) say(parsed.refused)
    else {
      const done = await runCommand(conversation, i, parsed)
      if (done !== 'again') return done
    }
  }
}

const carryOn: Record<Extract<ParsedLine, string>, (conversation: Conversation, i: number) => Promise<Step>> = {
  filled: complete,
  other: enterCustom,
  edit: editAction,
  reason: declineWithReason,
}

/** In a batch, each line of a paste answers a question of its own. */
function isText(form: AnswerForm, i: number): boolean {
  return form.field(i).question.options.length === 0 && form.fields.length === 1
}

function howToPass(form: AnswerForm, i: number): string {
  if (!mayBeBlank(form, i)) return 'Type /skip to skip it.'
  return `Press Enter to ${form.fields.length > 1 ? 'leave it blank' : 'skip it'}.`
}

async function runCommand(
  conversation: Conversation,
  i: number,
  { command, rest }: { command: string; rest: string },
): Promise<Step> {
  const { form, say, drafts, last } = conversation
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
    case 'last':
      if (last) return answerAgain(last)
      say('Nobody has answered this before.')
      return 'again'
    case 'ask':
      say(await askBack(conversation, rest))
      return 'again'
    case 'snooze':
      return snooze(conversation, rest)
    case 'use':
      if (drafts.use()) return 'first'
      say('There is no draft to use.')
      return 'again'
    case 'discard':
      say(drafts.discard() ? 'Draft discarded.' : 'There is no draft to discard.')
      return 'again'
    default:
      say(help)
      return 'again'
  }
}

/** Sends a message to the agent; the request stays open. What comes of it, in words. */
async function askBack({ hub, form }: Conversation, text: string): Promise<string> {
  if (text === '') return 'Add a message: /ask TEXT'
  try {
    await hub.messages.send(form.request.id, { text })
    return 'Sent to the agent. The request stays open.'
  } catch (error) {
    return explain(error)
  }
}

async function snooze({ hub, form, say, now }: Conversation, rest: string): Promise<Step> {
  const time = parseDuration(rest || '1h')
  if (time === null || time <= 0) {
    say(`"${harmlessTitle(rest)}" is not a duration. Type /snooze 30m, /snooze 4h or /snooze 2d.`)
    return 'again'
  }
  try {
    await hub.snooze(form.request.id, { until: new Date(now() + time).toISOString() })
    return null
  } catch (error) {
    say(explain(error))
    return 'again'
  }
}

/** Asks for a custom answer, which replaces what was chosen before. */
function enterCustom(conversation: Conversation, i: number): Promise<Step> {
  const { form } = conversation
  const empty = 'A custom answer cannot be empty. Type /options to go back to the options.'
  return enterText(conversation, i, { prompt: 'Enter your answer: ', empty }, text => {
    form.clear(i)
    form.write(i, text)
  })
}

/** Asks for the text that a choice requires, such as what should be changed. */
async function complete(conversation: Conversation, i: number): Promise<Step> {
  const { form } = conversation
  const { textRequiredBy } = form.field(i)
  if (textRequiredBy === null || !form.labels(i).includes(textRequiredBy)) return 1
  const texts = { prompt: 'What should be changed? ', empty: 'Say what should be changed.' }
  return enterText(conversation, i, texts, text => form.change(i, { text }))
}

async function enterText(
  conversation: Conversation,
  i: number,
  { prompt, empty }: { prompt: string; empty: string },
  save: (text: string) => void,
): Promise<Step> {
  const { form, lines, say } = conversation
  for (;;) {
    const line = await (form.fields.length === 1 ? nextText(lines, prompt) : lines.next(prompt))
    if (line === null) return null
    const command = parseCommand(line.text)
    if (command && 'refused' in command) say(command.refused)
    else if (command?.command === 'options') return 'again'
    else if (command) {
      const done = await runCommand(conversation, i, command)
      if (done !== 'again') return done
    } else if (line.text.trim() === '') say(empty)
    else {
      save(unescapeSlash(line.text))
      return 1
    }
  }
}

function introduction(request: Request, columns: number, now: number, notices: readonly (string | null)[]): string {
  const more = [`(${request.id}; type /help for other commands)`, ...notices.filter(notice => notice !== null)]
  const thread = threadLines(request.messages, columns, now)
  const lines = [...describeRequest(request, columns), ...thread, ...more.flatMap(text => wrap(line(text), columns))]
  return ['', ...lines.map(one => paint(one, false))].join('\n')
}

function plainThread(messages: Request['messages'], columns: number, now: number): string {
  return threadLines(messages, columns, now)
    .map(one => paint(one, false))
    .join('\n')
}

const help = `  /decline REASON  decline the request
  /skip            skip it, if it is optional
  /note TEXT       add a note to the answer
  /last            answer as last time
  /ask TEXT        ask the agent back; the request stays open
  /snooze 1h       hide it from your inbox for this long
  /use, /discard   use or discard the draft that was offered
  /back            go back to the previous question
  /leave           leave it open to answer it later`
