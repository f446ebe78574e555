import type { AnswerGiven, Outcome } from '../../protocol/answer.ts'
import type { Request } from '../../protocol/request.ts'
import { outcomeValue } from '../../rules/outcome-value.ts'

export interface OutcomeDocument extends Outcome {
  id: string
  value: string | string[] | null
}

/** The document of `ask --json`, `wait --json` and `need --json`. `given` is the value of a request that was just used. */
export function outcomeDocument(request: Request, given: string | null = null): OutcomeDocument {
  const { id, outcome } = request
  if (!outcome) throw new Error(`${id} is not settled.`)
  const { status, answers, reference, edited, always, by, channel, at, note, reason } = outcome
  return {
    id,
    status,
    value: given ?? outcomeValue(request),
    answers,
    ...(reference === undefined ? {} : { reference }),
    ...(edited === undefined ? {} : { edited }),
    ...(always === undefined ? {} : { always }),
    by,
    channel,
    at,
    note,
    reason,
  }
}

/** The chosen values, one per line; for a dependency, its reference. */
export function outcomeLines({ kind, outcome }: Request): string {
  if (!outcome) return ''
  if (kind === 'dependency') return outcome.reference === undefined ? '' : `${outcome.reference}\n`
  return outcome.answers
    .flatMap(valuesOf)
    .map(value => `${value}\n`)
    .join('')
}

/** The chosen labels, then the custom text. */
export function valuesOf({ selected, text }: AnswerGiven): string[] {
  return text === null ? selected : [...selected, text]
}
