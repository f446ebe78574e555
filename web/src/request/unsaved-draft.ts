import type { FilledAnswer } from '../../../src/form/answer-form.ts'

// The draft of a form that was left before the hub confirmed it. A page that opens the same request a moment later reads the
// hub's drafts at once, and would otherwise overtake the one that is still on its way. Older ones are never used: the
// person may have gone on elsewhere.

const key = 'beckon-unsaved-draft'
const maxAge = 60_000

interface UnsavedDraft {
  readonly id: string
  readonly answers: readonly FilledAnswer[]
  readonly at: number
}

export function rememberUnsaved(id: string, answers: readonly FilledAnswer[]): void {
  const draft: UnsavedDraft = { id, answers, at: Date.now() }
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // A full or forbidden storage: the hub still gets the draft, if the browser sends it in time.
  }
}

export function unsavedAnswers(id: string): readonly FilledAnswer[] | null {
  try {
    const draft: UnsavedDraft | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return draft?.id === id && Math.abs(Date.now() - draft.at) < maxAge ? draft.answers : null
  } catch {
    return null
  }
}

/** The hub has it, or the request was answered. */
export function forgetUnsaved(id: string): void {
  if (unsavedAnswers(id) !== null) sessionStorage.removeItem(key)
}
