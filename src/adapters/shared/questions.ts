import type { AskOutcome } from '../../protocol/answer.ts'
import type { AskInput } from '../../protocol/ask.ts'
import { askOutcome } from '../../rules/outcome-value.ts'
import { type Asking, raiseAndWait } from './asking.ts'

export type QuestionAsk = Omit<Extract<AskInput, { questions: unknown }>, 'kind' | 'key' | 'agent' | 'session' | 'run'>

/** What a person said. Only `answered`, and `defaulted` or `skipped` with a value, have one. */
export interface Answer {
  /** The id of the request. */
  id: string
  status: AskOutcome['status']
  /** The chosen label or the text, several where several may be chosen; null where there is none, or several questions. */
  value: string | string[] | null
  answers: AskOutcome['answers']
  by: string
  note: string | null
  reason: string | null
}

/** Asks, or takes up what was asked with this key. The same key gets the same answer as often as it comes back. */
export async function askQuestions(asking: Asking, ask: QuestionAsk, key: string): Promise<Answer> {
  const { hub, common, timeout } = asking
  const within = timeout === undefined ? {} : { timeout }
  const settled = await raiseAndWait(asking, { ...within, ...ask, ...common, kind: 'question', key })
  await hub.confirmDelivery(settled.id)
  const { id, status, value, answers, by, note, reason } = askOutcome(settled)
  return { id, status, value, answers, by, note, reason }
}

/** One sentence for the model about an answer that is none. */
export function describeNoAnswer({ status, reason }: Pick<Answer, 'status' | 'reason'>): string {
  const why = reason ? `: ${reason}` : ''
  switch (status) {
    case 'declined':
      return `A person declined to answer${why}. Do not assume an answer.`
    case 'skipped':
      return 'A person skipped the question. Do not assume an answer.'
    case 'expired':
    case 'defaulted':
      return 'Nobody answered in time. Do not assume an answer.'
    default:
      return `The question was withdrawn${why}. Do not assume an answer.`
  }
}
