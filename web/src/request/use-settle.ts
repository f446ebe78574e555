import { useState } from 'react'
import type { AnswerForm, Decision } from '../../../src/form/answer-form.ts'
import { type Settled, settle, settled } from '../api/requests.ts'
import { upload } from '../api/upload.ts'
import { decisionText, forgetLostAnswer, rememberLostAnswer } from '../outbox/lost-race.ts'
import { sendLater } from '../outbox/outbox.ts'
import { updateHubState } from '../state/hub-state.ts'
import { afterDecision } from '../state/next.ts'
import { errorText } from '../words/error-text.ts'

export interface SettleState {
  readonly busy: boolean
  /** Why the answer was not accepted. */
  readonly problem: string | null
  setProblem(problem: string | null): void
  /** Sends it after the delay in which it can be undone, and opens the next request at once. */
  decide(decision: Decision, says: string): void
  /** Sends it at once: a secret does not wait in the page, and a dangerous yes took a gesture of its own. */
  decideNow(decision: Decision): void
  /** The progress of an upload, between 0 and 1; null without one. */
  readonly progress: number | null
  sendFile(file: File, note: string | null): void
}

/** Sends a decision. If someone else was first, the page shows their outcome and gives this answer back. */
export function useSettle(form: AnswerForm, onSent: () => void): SettleState {
  const { request } = form
  const { id } = request
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  return { busy, problem, setProblem, decide, decideNow, progress, sendFile }

  function decide(decision: Decision, says: string) {
    if (busy) return
    const answers = form.answers()
    onSent()
    sendLater(request, decision, says, answers)
    afterDecision(id)
  }

  function decideNow(decision: Decision) {
    void submit(() => settle(id, decision), decisionText(decision))
  }

  function sendFile(file: File, note: string | null) {
    setProgress(0)
    void submit(() => settled(id, upload(id, file, note, setProgress)), file.name).finally(() => setProgress(null))
  }

  async function submit(send: () => Promise<Settled>, text: string): Promise<void> {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const result = await send()
      if (result.end === 'refused') return setProblem(result.why)
      if (result.end === 'lost') rememberLostAnswer(id, { text, sent: true })
      else forgetLostAnswer(id)
      onSent()
      updateHubState(result.request)
      if (result.end === 'taken') afterDecision(id)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
}
