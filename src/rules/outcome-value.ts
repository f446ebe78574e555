import type { AskOutcome } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import { answerValue } from './validate-answers.ts'

/** What `ask` returns of a settled request. */
export function askOutcome(settled: Request): AskOutcome {
  if (!settled.outcome) throw new BeckonError('damaged', `${settled.id} is settled and has no outcome.`)
  return { ...settled.outcome, id: settled.id, value: outcomeValue(settled) }
}

/** What the person chose, in short: a label or text, several where several may be chosen; null where there is no one value. */
export function outcomeValue(request: Request): string | string[] | null {
  const [answer] = request.outcome?.answers ?? []
  if (!answer) return null
  if (request.kind !== 'question') return answer.selected[0] ?? null
  const [question] = request.questions
  return request.questions.length === 1 && question ? answerValue(answer, question.multiSelect) : null
}
