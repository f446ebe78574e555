import { writeReply } from '../../blocks/reply/replies.ts'
import type { Request } from '../../protocol/request.ts'
import { answerValue } from '../../rules/validate-answers.ts'

/** The line of the log about what the agent was given: an answer as it reads it, and never the value of a dependency. */
export function describeReply(request: Request): string {
  const { outcome } = request
  const isAnswered = outcome?.status === 'answered'
  switch (request.kind) {
    case 'question': {
      const value = answerLine(request)
      if (isAnswered) return `[USER_ANSWER] ${value}`
      return value === '' ? `[QUESTION] ${outcome?.status}` : `[QUESTION] ${outcome?.status}: ${value}`
    }
    case 'dependency':
      return `[DEPENDENCY] ${request.name} ${isAnswered ? 'provided' : `not provided: ${outcome?.status}`}`
    case 'review':
      return `[REVIEW] ${isAnswered ? (outcome.answers[0]?.selected[0] ?? 'answered') : outcome?.status}`
    case 'approval':
      return `[APPROVAL] ${isAnswered ? 'yes' : outcome?.status}`
  }
}

/** On one line, as it is on stdin: no answer looks like another line of the log. */
function answerLine({ questions: [question], outcome }: Extract<Request, { kind: 'question' }>): string {
  const answer = outcome?.answers[0]
  const value = question && answer ? answerValue(answer, question.multiSelect) : null
  return writeReply({ type: 'answer', value: Array.isArray(value) ? value.join(', ') : value }).trimEnd()
}
