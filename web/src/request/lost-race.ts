import { useSyncExternalStore } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import type { QuestionAnswer } from '../../../src/protocol/answer.ts'

/** What was written here and came to nothing, because it was settled meanwhile. */
export interface Late {
  readonly words: string
  /** It was sent, and came second; otherwise it was still being written. */
  readonly sent: boolean
}

const late = new Map<string, Late>()
const watchers = new Set<() => void>()

export function rememberLate(id: string, what: Late): void {
  if (!what.sent && what.words === '') return
  late.set(id, what)
  for (const tell of watchers) tell()
}

export function forgetLate(id: string): void {
  late.delete(id)
}

/** Undefined where nothing of the kind happened; a secret is never given back. */
export function useLate(id: string): Late | undefined {
  // The form that remembers goes in the very moment in which the outcome comes.
  return useSyncExternalStore(watch, () => late.get(id))
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

export function wordsOf(decision: Decision): string {
  if (decision.verb === 'decline') return decision.reason
  if (decision.verb === 'skip') return decision.note ?? ''
  const { answers = [], edited = '' } = decision.input
  return [wordsIn(answers), edited].filter(Boolean).join('\n')
}

type Words = Pick<QuestionAnswer, 'selected' | 'text' | 'note'>

export function wordsIn(answers: readonly Words[]): string {
  return answers
    .flatMap(({ selected = [], text, note }) => [...selected, text ?? '', note ?? ''])
    .filter(Boolean)
    .join('\n')
}
