import { useSyncExternalStore } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import type { QuestionAnswer } from '../../../src/protocol/answer.ts'
import { editText } from '../../../src/rules/action-text.ts'

/** An answer from this page that was not used, because the request was settled first. */
export interface LostAnswer {
  readonly text: string
  /** The answer was sent and came second; otherwise the person was still writing it. */
  readonly sent: boolean
}

const lostAnswers = new Map<string, LostAnswer>()
const subscribers = new Set<() => void>()

export function rememberLostAnswer(id: string, answer: LostAnswer): void {
  if (!answer.sent && answer.text === '') return
  lostAnswers.set(id, answer)
  for (const notify of subscribers) notify()
}

export function forgetLostAnswer(id: string): void {
  lostAnswers.delete(id)
}

/** Undefined if no answer was lost. A secret is never shown again. */
export function useLostAnswer(id: string): LostAnswer | undefined {
  // The form stores its answer while it unmounts, after the outcome may have rendered: hence a subscription.
  return useSyncExternalStore(subscribe, () => lostAnswers.get(id))
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}

export function decisionText(decision: Decision): string {
  if (decision.verb === 'decline') return decision.reason
  if (decision.verb === 'skip') return decision.note ?? ''
  const { answers = [], edited } = decision.input
  const change = typeof edited === 'object' ? editText(edited) : edited
  return [answersText(answers), change].filter(Boolean).join('\n')
}

type AnswerFields = Pick<QuestionAnswer, 'selected' | 'text' | 'note'>

export function answersText(answers: readonly AnswerFields[]): string {
  return answers
    .flatMap(({ selected = [], text, note }) => [...selected, text ?? '', note ?? ''])
    .filter(Boolean)
    .join('\n')
}
