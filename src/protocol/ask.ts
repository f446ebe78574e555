import type * as z from 'zod'
import { askApproval } from './ask/approval.ts'
import { askDependency } from './ask/dependency.ts'
import { askQuestion } from './ask/question.ts'
import { askReview } from './ask/review.ts'

// What an agent sends. Parsed once at the edge; the result has every default filled in.

/** Every kind by name. Without a kind it is a question. A command makes only the schema that it uses. */
export const askSchemas = {
  get question() {
    return askQuestion
  },
  get dependency() {
    return askDependency
  },
  get approval() {
    return askApproval
  },
  get review() {
    return askReview
  },
}

export type AskInput =
  | z.input<typeof askQuestion>
  | z.input<typeof askDependency>
  | z.input<typeof askApproval>
  | z.input<typeof askReview>
export type Ask =
  | z.output<typeof askQuestion>
  | z.output<typeof askDependency>
  | z.output<typeof askApproval>
  | z.output<typeof askReview>
