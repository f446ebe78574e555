import { writeReply } from '../../blocks/reply/replies.ts'
import type { Request } from '../../protocol/request.ts'
import { editText } from '../../rules/action-text.ts'
import { isUnexplained } from '../../rules/outcomes.ts'
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
      return `[APPROVAL] ${approvalLine(request)}`
  }
}

/** `yes`, `yes, edited: git push`, `declined: use a lease`. */
function approvalLine({ outcome }: Extract<Request, { kind: 'approval' }>): string {
  const { status, edited, reason } = outcome ?? {}
  if (status === 'answered') return edited ? `yes, edited: ${oneLine(editText(edited))}` : 'yes'
  return reason && !isUnexplained(reason) ? `${status}: ${oneLine(reason)}` : `${status}`
}

/** All answers of a batch, each with its question. */
function answerLine({ questions, outcome }: Extract<Request, { kind: 'question' }>): string {
  const values = questions.flatMap(({ id, header, question, multiSelect }) => {
    const answer = outcome?.answers.find(given => given.id === id)
    const value = answer ? answerValue(answer, multiSelect) : null
    if (value === null) return []
    const text = Array.isArray(value) ? value.join(', ') : value
    return questions.length === 1 ? text : `${header || question}: ${text}`
  })
  return oneLine(values.join(' · '))
}

/** As it is on stdin: no answer looks like another line of the log. */
function oneLine(text: string): string {
  return writeReply({ type: 'answer', value: text }).trimEnd()
}
