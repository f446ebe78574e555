import { useEffect, useState } from 'react'
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
export function useVerdict(id: string, command: string | null): VerdictState {
  const [known, setKnown] = useState<{ command: string; check: VerdictState } | null>(null)
  useEffect(() => {
    if (command === null) return
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      judge(id, command, stopped.signal).then(
        verdict => setKnown({ command, check: { state: 'checked', verdict } }),
        error => stopped.signal.aborted || setKnown({ command, check: { state: 'failed', why: errorText(error) } }),
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [id, command])
  if (command === null) return { state: 'none' }
  return known?.command === command ? known.check : { state: 'checking' }
}
