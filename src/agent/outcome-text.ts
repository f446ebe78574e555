import type { Outcome } from '../protocol/answer.ts'
import type { Message } from '../protocol/message.ts'
import type { ApprovalRequest, QuestionRequest } from '../protocol/request.ts'
import type { KeptAnswer } from './journal/entries.ts'

// What the model reads about an outcome. It names the outcome: an answer, a default and a no are not the same.

export interface OutcomeText {
  readonly output: string
  readonly failed: boolean
  readonly answers: readonly KeptAnswer[]
}

export function questionOutcome(request: QuestionRequest, outcome: Outcome): OutcomeText {
  const note = outcome.note ? `\nNote from the user: ${outcome.note}` : ''
  switch (outcome.status) {
    case 'answered': {
      const given = answersOf(request, outcome)
      const lines = given.map(({ question, said }) => (given.length > 1 ? `${question}\n${said}` : said))
      return { output: `${lines.join('\n\n')}${note}`, failed: false, answers: given }
    }
    case 'defaulted':
    case 'skipped':
      return plain(
        `The user ${outcome.status === 'skipped' ? 'skipped this question' : 'did not answer in time'}.${note}`,
      )
    case 'declined':
      return refused(`The user declined to answer${because(outcome)}. Do not ask it again.${note}`)
    case 'expired':
      return refused('Nobody answered in time. Silence is not an answer: do not assume one.')
    case 'cancelled':
    case 'orphaned':
      return refused(`The question was withdrawn before anybody answered${because(outcome)}. Do not assume an answer.`)
  }
}

/** The first words keep the model from taking it for the answer. */
export function askedBackText({ id }: Pick<QuestionRequest, 'id'>, messages: readonly Message[]): string {
  const said = messages.map(({ by, text }) => `${by}: ${text}`)
  return [
    `Not an answer. The user asks you something back before they decide, and your question ${id} is still open:`,
    ...said,
    `Find out what they want to know, then call AskUserQuestion with ${JSON.stringify({ replyTo: id, reply: '…' })}; it waits on for the answer. What they wrote is not their decision.`,
  ].join('\n\n')
}

export function refusalOf({ action }: ApprovalRequest, outcome: Outcome): OutcomeText {
  const note = outcome.note ? ` Note from the user: ${outcome.note}` : ''
  const who = outcome.status === 'answered' || outcome.status === 'declined' ? 'The user said no' : 'Nobody allowed it'
  const safer = action.safer ? ` Safer: ${action.safer}` : ''
  return refused(`${who}${because(outcome)}. It was not run. Do not try it again in another form.${note}${safer}`)
}

function answersOf({ questions }: QuestionRequest, { answers }: Outcome) {
  return questions.flatMap(({ id, question, options }) => {
    const given = answers.find(answer => answer.id === id)
    if (!given) return []
    const { selected, text, note } = given
    const values = text === null || text === '' ? selected : [...selected, text]
    const parts = [
      ...(selected.length > 0 ? [`User selected: ${selected.join(', ')}`] : []),
      ...(text ? [`User answered: ${text}`] : []),
      ...(values.length === 0 ? ['The user left this question blank.'] : []),
      ...(note ? [`Note from the user: ${note}`] : []),
    ]
    const kept = options.length > 0 && note ? [...values, `(${note})`] : values
    return [{ question, said: parts.join('\n'), answer: kept.join(', ') || '(left blank)' }]
  })
}

function because({ reason }: Outcome): string {
  return reason ? `: ${reason}` : ''
}

function plain(output: string): OutcomeText {
  return { output, failed: false, answers: [] }
}

function refused(output: string): OutcomeText {
  return { output, failed: true, answers: [] }
}
