import type { Outcome } from '../../protocol/answer.ts'
import { invalid } from '../../protocol/errors.ts'
import type { Request } from '../../protocol/request.ts'
import { actionText } from '../../rules/action-text.ts'
import { answerValue } from '../../rules/validate-answers.ts'
import type { Format } from '../block-watcher.ts'
import { inOrderOfBlocks, type Refusal } from '../unreadable-blocks.ts'

/** The values for the placeholders of a template. */
export interface TemplateValues {
  session: string | null
  /** Settled requests that the agent has not seen. */
  answers: readonly Request[]
  /** Protocol errors for blocks that could not be read. */
  refused: readonly Refusal[]
}

/** For an agent that was cut off without an open request. */
const continuePrompt = 'Continue where you stopped.'

const word = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g
const placeholders = /\{(session|answer|requestId)\}/g

/**
 * A template is split into arguments before values are filled in, and no shell sees it: an answer is one argument,
 * whatever it contains. A secret is never filled in, only a reference to it.
 */
export function fillTemplate(template: readonly string[], { session, answers, refused }: TemplateValues): string[] {
  const values: Record<string, string> = {
    session: session ?? '',
    answer: formatReplies(answers, refused),
    requestId: answers.map(({ id }) => id).join(','),
  }
  return template.map(word => word.replaceAll(placeholders, (_, name: string) => values[name] ?? ''))
}

export function needsSession(template: readonly string[]): boolean {
  return template.some(word => word.includes('{session}'))
}

/** Whether the command contains the answer; else the agent asks again, and is answered then. */
export function hasAnswer(template: readonly string[]): boolean {
  return template.some(word => word.includes('{answer}'))
}

/** How Claude Code and Codex continue a conversation. */
export function usualTemplate(format: Format, command: readonly string[]): string[] | null {
  const [program = format] = command
  switch (format) {
    case 'claude':
      return [program, '-p', '--resume', '{session}', '--output-format', 'stream-json', '--verbose', '--', '{answer}']
    case 'codex':
      return [program, 'exec', '--json', 'resume', '{session}', '--', '{answer}']
    case 'text':
      return null
  }
}

/** Splits words as a shell does, with quotes and backslashes, and does nothing else that a shell does. */
export function readTemplate(text: string): string[] {
  const words = [...text.matchAll(word)]
  if (text.replaceAll(word, '').trim() !== '')
    throw invalid([{ path: 'resume-command', message: 'has an unclosed quote' }])
  if (words.length === 0) throw invalid([{ path: 'resume-command', message: 'is empty' }])
  return words.map(([word]) => unquote(word))
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  )
}

function formatReplies(answers: readonly Request[], refused: readonly Refusal[]): string {
  if (answers.length === 0 && refused.length === 0) return continuePrompt
  const texts = new Map(answers.map(request => [request.id, formatAnswer(request, answers.length === 1)]))
  const replies = inOrderOfBlocks([...texts.keys()], refused)
  return replies.map(reply => (typeof reply === 'string' ? texts.get(reply) : reply.reply)).join('\n')
}

function formatAnswer(request: Request, isOnly: boolean): string {
  return isOnly ? outcomeText(request) : `${titleOf(request)}: ${outcomeText(request)}`
}

function titleOf(request: Request): string {
  switch (request.kind) {
    case 'question':
      return request.questions[0]?.question ?? 'question'
    case 'dependency':
      return request.name
    case 'review':
      return request.title
    case 'approval':
      return actionText(request.action)
  }
}

/** What the agent reads: the value, or in words what happened instead of an answer. */
function outcomeText(request: Request): string {
  const { outcome } = request
  if (!outcome) return ''
  if (outcome.status === 'answered' && request.kind === 'dependency') {
    return `provided; read it with: beckon need ${request.type} ${request.name} --ref ${outcome.reference ?? request.id}`
  }
  if (request.kind === 'question') {
    const values = request.questions.flatMap(question => {
      const answer = outcome.answers.find(({ id }) => id === question.id)
      const value = answer ? answerValue(answer, question.multiSelect) : null
      const text = Array.isArray(value) ? value.join(', ') : value
      return text === null ? [] : [request.questions.length > 1 ? `${question.question}: ${text}` : text]
    })
    if (values.length > 0) return values.join('\n')
  }
  const choice = outcome.answers[0]?.selected[0]
  if (outcome.status !== 'answered' || choice === undefined) return withoutAnswer(request, outcome)
  if (request.kind !== 'review') return withText(choice, outcome.reason)
  return withText(choice === 'approve' ? 'approved' : 'rejected', request.feedback ?? outcome.note)
}

/** A no, silence and a skipped question are different things, and the agent acts differently on each. */
function withoutAnswer({ kind }: Request, { status, reason, note }: Outcome): string {
  const what = kind === 'dependency' ? 'request' : kind
  const text = [reason, note].filter(Boolean).join('. ')
  switch (status) {
    case 'declined':
      return withText(`Declined: a person said no to this ${what}`, text)
    case 'skipped':
      return withText(`Skipped: a person passed over this ${what}, so decide for yourself`, text)
    case 'expired':
      return `Expired: nobody answered this ${what} in time, which is neither a yes nor a no`
    case 'defaulted':
      return `Nobody answered this ${what} in time, and it has no default value`
    case 'answered':
      return withText(`A person left this ${what} blank`, text)
    case 'cancelled':
    case 'orphaned':
      return withText(`Withdrawn: nobody answers this ${what} any more`, text)
  }
}

function withText(text: string, more: string | null | undefined): string {
  return more ? `${text}: ${more}` : text
}
