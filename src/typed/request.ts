import type * as protocol from '../protocol/request.ts'
import type { Outcome } from './outcome.ts'

/** A request as programs have it: its outcome has `id` and `value`, as the outcome that `ask` returns. */
export type Request = QuestionRequest | DependencyRequest | ApprovalRequest | ReviewRequest

export type QuestionRequest = WithOutcome<protocol.QuestionRequest>
export type DependencyRequest = WithOutcome<protocol.DependencyRequest>
export type ApprovalRequest = WithOutcome<protocol.ApprovalRequest>
export type ReviewRequest = WithOutcome<protocol.ReviewRequest>

type WithOutcome<Each extends protocol.Request> = Omit<Each, 'outcome'> & {
  /** Null while it is pending. */
  outcome: Outcome | null
}
