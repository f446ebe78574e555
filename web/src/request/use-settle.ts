import { useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import { type Settled, settle, settled } from '../api/requests.ts'
import { upload } from '../api/upload.ts'
import { updateHubState } from '../state/hub-state.ts'
import { errorText } from '../words/error-text.ts'
import { decisionText, forgetLostAnswer, rememberLostAnswer } from './lost-race.ts'

export interface SettleState {
  readonly busy: boolean
  /** Why the answer was not accepted. */
  readonly problem: string | null
  setProblem(problem: string | null): void
  send(decision: Decision): Promise<boolean>
  /** The progress of an upload, between 0 and 1; null without one. */
  readonly progress: number | null
  sendFile(file: File, note: string | null): Promise<boolean>
}

/** Sends a decision. If someone else was first, the page shows their outcome and gives this answer back. */
export function useSettle(id: string, onSent: () => void): SettleState {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  return { busy, problem, setProblem, send, progress, sendFile }

  function send(decision: Decision): Promise<boolean> {
    return submit(() => settle(id, decision), decisionText(decision))
  }

  function sendFile(file: File, note: string | null): Promise<boolean> {
    setProgress(0)
    return submit(() => settled(id, upload(id, file, note, setProgress)), file.name).finally(() => setProgress(null))
  }

  async function submit(send: () => Promise<Settled>, text: string): Promise<boolean> {
    if (busy) return false
    setBusy(true)
    setProblem(null)
    try {
      const result = await send()
      if (result.end === 'refused') {
        setProblem(result.why)
        return false
      }
      if (result.end === 'lost') rememberLostAnswer(id, { text, sent: true })
      else forgetLostAnswer(id)
      onSent()
      updateHubState(result.request)
      return true
    } catch (error) {
      setProblem(errorText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
}
