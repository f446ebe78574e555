import { useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import { type Settled, settle, settled } from '../api/requests.ts'
import { upload } from '../api/upload.ts'
import { learn } from '../live.ts'
import { troubleIn } from '../words/trouble.ts'
import { forgetLate, rememberLate, wordsOf } from './lost-race.ts'

export interface Settling {
  readonly busy: boolean
  /** Why it was not taken. */
  readonly problem: string | null
  setProblem(problem: string | null): void
  send(decision: Decision): Promise<boolean>
  /** The part of a file that was sent, between 0 and 1; null while none is. */
  readonly progress: number | null
  sendFile(file: File, note: string | null): Promise<boolean>
}

/** Sends a decision. When somebody was first, the page shows theirs, and says that this one was not taken. */
export function useSettling(id: string, onSent: () => void): Settling {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  return { busy, problem, setProblem, send, progress, sendFile }

  function send(decision: Decision): Promise<boolean> {
    return take(() => settle(id, decision), wordsOf(decision))
  }

  function sendFile(file: File, note: string | null): Promise<boolean> {
    setProgress(0)
    return take(() => settled(id, upload(id, file, note, setProgress)), file.name).finally(() => setProgress(null))
  }

  async function take(sent: () => Promise<Settled>, words: string): Promise<boolean> {
    if (busy) return false
    setBusy(true)
    setProblem(null)
    try {
      const result = await sent()
      if (result.end === 'refused') {
        setProblem(result.why)
        return false
      }
      if (result.end === 'late') rememberLate(id, { words, sent: true })
      else forgetLate(id)
      onSent()
      learn(result.request)
      return true
    } catch (error) {
      setProblem(troubleIn(error))
      return false
    } finally {
      setBusy(false)
    }
  }
}
