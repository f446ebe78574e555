import { validateAnswer } from '../core/answers.ts'
import { questionsOf } from '../core/questions.ts'
import type { AnswerInput, QuestionAnswer } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi, Settlement } from '../protocol/hub.ts'
import type { DependencyRequest, Question, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { harmlessTitle } from '../terminal/harmless.ts'
import type { Context } from './context.ts'
import { introduce, introduceQuestion } from './introduce.ts'
import { promptLine } from './prompt.ts'

type Decision = AnswerInput | 'skip'

/**
 * Asks the person at this terminal until the hub takes what they enter. A bad entry is refused with the reason and
 * asked again. Null when they left, or when the signal says that there is nothing to ask any more.
 */
export async function converse(
  context: Context,
  hub: HubApi,
  request: Request,
  signal: AbortSignal,
): Promise<Settlement | null> {
  say(context, introduce(request))
  for (;;) {
    const decision = await decide(context, request, signal)
    if (decision === null) return null
    const result = await submit(hub, request.id, decision)
    if ('won' in result) return result
    say(context, harmlessTitle(result.refused))
  }
}

async function submit(hub: HubApi, id: string, decision: Decision): Promise<Settlement | { refused: string }> {
  const channel = 'terminal'
  try {
    return await (decision === 'skip' ? hub.skip(id, { channel }) : hub.answer(id, { ...decision, channel }))
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'invalid') return { refused: error.message }
    throw error
  }
}

async function decide(context: Context, request: Request, signal: AbortSignal): Promise<Decision | null> {
  if (request.kind === 'dependency') return decideDependency(context, request, signal)
  const answers: QuestionAnswer[] = []
  for (const question of questionsOf(request)) {
    if (request.kind === 'question') say(context, introduceQuestion(question, request))
    const answer = await enterAnswer(context, question, request.required, signal)
    if (answer === null) return null
    if (answer !== 'blank') answers.push(answer)
  }
  if (answers.length === 0) return 'skip'
  return request.kind === 'review' ? addFeedback(context, answers, signal) : { answers }
}

async function decideDependency(
  context: Context,
  request: DependencyRequest,
  signal: AbortSignal,
): Promise<Decision | null> {
  const line = await enter(context, signal, secretTypes.includes(request.type))
  if (line === null) return null
  return line === '' && !request.required ? 'skip' : { value: line }
}

async function enterAnswer(
  context: Context,
  question: Question,
  required: boolean,
  signal: AbortSignal,
): Promise<QuestionAnswer | 'blank' | null> {
  for (;;) {
    const line = await enter(context, signal)
    if (line === null) return null
    if (line.trim() === '' && question.default !== null) return { id: question.id, ...defaultOf(question) }
    if (line.trim() === '' && !required) return 'blank'
    if (isOwnText(question, line)) return { id: question.id, text: line.trim().slice(1).trim() }
    const value = valuesOf(question, line)
    const verdict = validateAnswer({ ...question, required }, value)
    if (verdict.valid) return { id: question.id, value }
    say(context, harmlessTitle(verdict.error))
  }
}

/** A line, asked for again when several were pasted: one of them would be a guess. */
async function enter(context: Context, signal: AbortSignal, hidden = false): Promise<string | null> {
  for (;;) {
    const entry = await promptLine(context, { hidden, signal })
    if (entry === 'left') return null
    if ('line' in entry) return entry.line
    say(context, `These were ${entry.lines} lines, and one is asked for. Several go by: beckon answer ID --from FILE`)
  }
}

async function addFeedback(context: Context, answers: QuestionAnswer[], signal: AbortSignal): Promise<Decision | null> {
  const [answer] = answers
  if (!answer || !['changes', '2', '#2'].includes(String(answer.value).trim().toLowerCase())) return { answers }
  say(context, 'What should be changed?')
  const text = await enter(context, signal)
  return text === null ? null : { answers: [{ ...answer, text }] }
}

function defaultOf({ default: value, options }: Question): Pick<QuestionAnswer, 'selected' | 'text'> {
  const values = value === null ? [] : typeof value === 'string' ? [value] : value
  const isLabel = values.every(one => options.some(option => option.label === one))
  return isLabel && options.length > 0 ? { selected: values } : { text: values[0] ?? '' }
}

/** Text beside options is marked as such, so that a typing error is never taken for it. */
function isOwnText({ allowOther, options }: Question, line: string): boolean {
  const entry = line.trim()
  return allowOther && options.length > 0 && /^=\s*\S/.test(entry) && !options.some(({ label }) => label === entry)
}

/** Several choices are separated by commas, numbers by spaces too; a label that has a comma in it stays whole. */
function valuesOf({ multiSelect, options }: Question, line: string): string | string[] {
  if (options.length === 0 || !multiSelect || options.some(({ label }) => label === line.trim())) return line
  const parts = /^[\s\d#,]+$/.test(line) ? line.split(/[\s,]+/) : line.split(',')
  return parts.map(part => part.trim()).filter(part => part !== '')
}

function say({ stderr }: Context, text: string): void {
  stderr.write(`${text}\n`)
}
