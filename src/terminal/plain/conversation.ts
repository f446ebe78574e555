import type { AnswerForm, Decision } from '../../form/answer-form.ts'
import type { EarlierAnswer } from '../../protocol/earlier.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Terminal } from '../terminal.ts'
import type { PlainDrafts } from './drafts.ts'
import type { Lines } from './read-lines.ts'

/** What every step of a prompt in plain lines needs. */
export interface Conversation {
  hub: HubApi
  now: () => number
  /** What was answered when the same was asked before. */
  last: EarlierAnswer | null
  form: AnswerForm
  lines: Lines
  terminal: Terminal
  say: (text: string) => void
  drafts: PlainDrafts
}

/** Go to the next, previous or first question, decide, ask the same question again, or null if the person left. */
export type Step = 1 | -1 | 'first' | Decision | null | 'again'

/** Errors of the hub are for the person; any other is a bug. */
export function explain(error: unknown): string {
  if (!(error instanceof BeckonError) || error.code === 'closed') throw error
  return harmlessTitle(error.message)
}
