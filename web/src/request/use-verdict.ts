import { useEffect, useState } from 'react'
import type { Verdict } from '../../../src/protocol/verdict.ts'
import { judge } from '../api/verdicts.ts'
import { troubleIn } from '../words/trouble.ts'

const judgeAfter = 300

/** What the guard says to one's own version of a command: nothing yet, a verdict, or why there is none. */
export type Judged =
  | { readonly state: 'none' }
  | { readonly state: 'judging' }
  | { readonly state: 'judged'; readonly verdict: Verdict }
  | { readonly state: 'failed'; readonly why: string }

/** A verdict counts for the very text that it was given for, and for no other. */
export function useVerdict(id: string, command: string | null): Judged {
  const [known, setKnown] = useState<{ command: string; judged: Judged } | null>(null)
  useEffect(() => {
    if (command === null) return
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      judge(id, command, stopped.signal).then(
        verdict => setKnown({ command, judged: { state: 'judged', verdict } }),
        error => stopped.signal.aborted || setKnown({ command, judged: { state: 'failed', why: troubleIn(error) } }),
      )
    }, judgeAfter)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [id, command])
  if (command === null) return { state: 'none' }
  return known?.command === command ? known.judged : { state: 'judging' }
}
