import { useState } from 'react'
import type { Decision } from '../../../src/terminal/sheet.ts'
import { settle } from '../api/requests.ts'
import { learn } from '../live.ts'
import { rememberLate } from './late.ts'

export interface Settling {
  readonly busy: boolean
  /** Why it was not taken. */
  readonly problem: string | null
  setProblem(problem: string | null): void
  send(decision: Decision): Promise<boolean>
}

/** Sends a decision. When somebody was first, the page shows theirs, and says that this one was not taken. */
export function useSettling(id: string, onSent: () => void): Settling {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  return { busy, problem, setProblem, send }

  async function send(decision: Decision): Promise<boolean> {
    if (busy) return false
    setBusy(true)
    setProblem(null)
    try {
      const result = await settle(id, decision)
      if (result.end === 'refused') {
        setProblem(result.why)
        return false
      }
      if (result.end === 'late') rememberLate(id, decision)
      onSent()
      learn(result.request)
      return true
    } catch (error) {
      setProblem((error as Error).message)
      return false
    } finally {
      setBusy(false)
    }
  }
}
