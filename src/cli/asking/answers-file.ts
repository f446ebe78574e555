import { resolve } from 'node:path'
import { type AnswerInput, answerSchema, type QuestionAnswer } from '../../protocol/answer.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { limits } from '../../protocol/limits.ts'
import { parse } from '../../protocol/parse.ts'
import type { Question } from '../../protocol/request.ts'
import type { ParsedAsk } from '../../rules/parse-ask.ts'
import { normaliseAnswers } from '../../rules/validate-answers.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { errorMessage } from '../output/error-message.ts'
import type { Reporter } from '../output/reporter.ts'
import { readText } from '../read-text.ts'

// BECKON_ANSWERS names a file that answers known questions, for CI. It maps a request's key, a header or a question to the
// answer: a text, a list of texts, or { selected, text, note }.

type Answer = Omit<QuestionAnswer, 'id'>

/** The answers of the file, validated like a person's; null when it does not answer all of the questions. */
export async function answersFromFile(
  context: Context,
  file: string,
  { ask, body }: ParsedAsk,
  reporter: Reporter,
): Promise<AnswerInput | null> {
  // Only a person may answer approvals and reviews, and give secrets.
  if (ask.kind !== 'question') return null
  const named = await readAnswersFile(context, file)
  const questions = body.questions as Question[]
  const answers = findAnswers(named, questions, ask.key ?? null)
  if (!answers) return null
  const input: AnswerInput = { answers, channel: 'file' }
  const refusal = refusalBy(input, questions, ask.required)
  if (refusal === null) return input
  const message = `BECKON_ANSWERS: ${file} does not answer this question, so it is ignored. ${refusal}`
  context.stderr.write(`${reporter.name}: ${harmlessTitle(message)}\n`)
  return null
}

/** Why the hub would refuse the answer; checked before anything is stored. */
function refusalBy(input: AnswerInput, questions: readonly Question[], required: boolean): string | null {
  try {
    const normalised = normaliseAnswers(questions, required, parse(answerSchema, input))
    return 'problems' in normalised ? normalised.problems.map(({ message }) => message).join('; ') : null
  } catch (error) {
    if (error instanceof BeckonError) return error.message
    throw error
  }
}

/** A key names the whole request, so it can only answer a single question. */
function findAnswers(
  named: ReadonlyMap<string, Answer>,
  questions: readonly Question[],
  key: string | null,
): QuestionAnswer[] | null {
  const answers = questions.flatMap(({ id, header, question }) => {
    const names = [...(questions.length === 1 && key !== null ? [key] : []), header, question]
    const name = names.map(canonical).find(name => name !== '' && named.has(name))
    const answer = name === undefined ? undefined : named.get(name)
    return answer ? [{ id, ...answer }] : []
  })
  return answers.length === questions.length ? answers : null
}

async function readAnswersFile(context: Context, file: string): Promise<Map<string, Answer>> {
  const path = resolve(context.cwd, file)
  const text = await readText(context, path, 'BECKON_ANSWERS', limits.text)
  const document = /\.json$/i.test(file) ? parseJson(text, file) : await parseYaml(text, file)
  if (!isMapping(document)) throw unusable(`${file} must be a mapping from a key, a header or a question to its answer`)
  const answers = new Map<string, Answer>()
  for (const [name, given] of Object.entries(document)) {
    const answer = readAnswer(given)
    if (!answer) throw unusable(`${file}: ${name}: must be text, a list of texts, or { selected, text, note }`)
    if (answers.has(canonical(name))) throw unusable(`${file}: ${name} appears twice`)
    answers.set(canonical(name), answer)
  }
  return answers
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw unusable(`${file} is not JSON: ${errorMessage(error)}`)
  }
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  const yaml = await import('yaml')
  try {
    return yaml.parse(text, { logLevel: 'error' })
  } catch (error) {
    throw unusable(`${file} is not YAML: ${errorMessage(error)}`)
  }
}

/** Null for anything else: what the author meant is not guessed. */
function readAnswer(given: unknown): Answer | null {
  if (isScalar(given)) return { value: String(given) }
  if (Array.isArray(given)) return given.every(isScalar) ? { value: given.map(String) } : null
  if (!isMapping(given)) return null
  const { selected, text, note, ...others } = given
  if (Object.keys(others).length > 0 || (selected === undefined && text === undefined)) return null
  if (selected !== undefined && !(Array.isArray(selected) && selected.every(isScalar))) return null
  if (![text, note].every(one => one === undefined || isScalar(one))) return null
  return {
    ...(selected === undefined ? {} : { selected: selected.map(String) }),
    ...(text === undefined ? {} : { text: String(text) }),
    ...(note === undefined ? {} : { note: String(note) }),
  }
}

function isScalar(given: unknown): given is string | number | boolean {
  return typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
}

function isMapping(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

function canonical(text: string): string {
  return text.trim().normalize('NFC')
}

function unusable(why: string): BeckonError {
  return new BeckonError('invalid', `BECKON_ANSWERS: ${why}`)
}
