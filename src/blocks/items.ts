import type { Category, DependencyType } from '../protocol/status.ts'

// What a scanner finds. `start` and `end` are byte offsets into the stream: from the first byte of the opening line to
// the last byte of what belongs to the item, without its line break.

export interface UserQuestion {
  category: Category
  question: string
  options?: string[] | undefined
  default?: string | undefined
  required: boolean
  /** Milliseconds; null for no deadline at all; absent where the block does not say. */
  timeout?: number | null | undefined
}

export interface DependencyRequest {
  type: DependencyType
  name: string
  description: string
  required: boolean
  timeout?: number | null | undefined
}

export interface PhaseCompletion {
  phase: number | string
  title: string
  /** The text after "Completed:". */
  completed: string | null
  files: string[]
}

/** A task without phases is done. Nobody is asked for anything. */
export interface TaskCompletion {
  task: string | null
  summary: string | null
  files: string[]
}

export interface ErrorReport {
  type: string | null
  message: string
  details: string | null
  recovery: string | null
  /** The agent cannot go on. */
  fatal: boolean
}

export const tags = ['USER_QUESTION', 'DEPENDENCY_REQUEST', 'ERROR', 'PHASE', 'CUSTOM_TASK'] as const
export type Tag = (typeof tags)[number]

export interface Place {
  start: number
  end: number
}

export type QuestionItem = { type: 'question'; question: UserQuestion } & Place
export type DependencyItem = { type: 'dependency'; dependency: DependencyRequest } & Place
export type PhaseItem = { type: 'phase' } & PhaseCompletion & Place
export type TaskItem = { type: 'custom-complete' } & TaskCompletion & Place
export type ErrorItem = { type: 'error'; error: ErrorReport } & Place
/** It was meant as a block and is none: the agent has to be told why. */
export type MalformedItem = { type: 'malformed'; tag: Tag; reason: string; text: string } & Place
/** A block inside of a ``` fence: text, and yet a person should hear of it. */
export type FencedItem = { type: 'fenced'; tag: Tag; text: string } & Place

export type Item = QuestionItem | DependencyItem | PhaseItem | TaskItem | ErrorItem | MalformedItem | FencedItem

/** What was read, or why it could not be. */
export type Reading<Value> = { value: Value; problem?: never } | { problem: string; value?: never }
