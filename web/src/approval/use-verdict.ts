import { useEffect, useState } from 'react'
import type { Edited } from '../../../src/protocol/answer.ts'
import type { Verdict } from '../../../src/protocol/verdict.ts'
import { judge } from '../api/requests.ts'
import { errorText } from '../words/error-text.ts'

const checkAfter = 300

/** The guard's check of an edited command: not needed, running, done, or failed. */
export type VerdictState =
  | { readonly state: 'none' }
  | { readonly state: 'checking' }
  | { readonly state: 'checked'; readonly verdict: Verdict }
  | { readonly state: 'failed'; readonly why: string }

/** A verdict holds only for the exact text that it was given for. */
export function useVerdict(id: string, edited: Edited | null): VerdictState {
  const [known, setKnown] = useState<{ text: string; check: VerdictState } | null>(null)
  const text = edited && JSON.stringify(edited)
  useEffect(() => {
    if (text === null) return
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      judge(id, JSON.parse(text), stopped.signal).then(
        verdict => setKnown({ text, check: { state: 'checked', verdict } }),
        error => stopped.signal.aborted || setKnown({ text, check: { state: 'failed', why: errorText(error) } }),
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [id, text])
  if (text === null) return { state: 'none' }
  return known?.text === text ? known.check : { state: 'checking' }
}
