import type { Category, DependencyType } from '../protocol/status.ts'

export interface UserQuestion {
  category: Category
  question: string
  options?: string[] | undefined
  default?: string | undefined
  required: boolean
  /** Milliseconds; null for no deadline; absent if the block does not set one. */
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
  /** What was done beyond the title, in the agent's words: Markdown. */
  summary?: string | undefined
}

/** A task without phases is done. Nobody has to review it. */
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
  /** The agent cannot continue. */
  fatal: boolean
}

export const tags = ['USER_QUESTION', 'DEPENDENCY_REQUEST', 'ERROR', 'PHASE', 'CUSTOM_TASK'] as const
export type Tag = (typeof tags)[number]

/**
 * The part of the stream that an item covers, in bytes: from the start of its opening line to the end of its last line,
 * without the line break.
 */
export interface Span {
  start: number
  end: number
}

export type QuestionItem = { type: 'question'; question: UserQuestion } & Span
export type DependencyItem = { type: 'dependency'; dependency: DependencyRequest } & Span
export type PhaseItem = { type: 'phase' } & PhaseCompletion & Span
export type TaskItem = { type: 'custom-complete' } & TaskCompletion & Span
export type ErrorItem = { type: 'error'; error: ErrorReport } & Span
/** An attempt at a block that cannot be used: the agent has to learn why. */
export type MalformedItem = { type: 'malformed'; tag: Tag; reason: string; text: string } & Span
/** A block inside a ``` fence: it counts as text, but a person should know about it. */
export type FencedItem = { type: 'fenced'; tag: Tag; text: string } & Span

export type Item = QuestionItem | DependencyItem | PhaseItem | TaskItem | ErrorItem | MalformedItem | FencedItem

/** A parsed value, or why it could not be parsed. */
export type Parsed<Value> = { value: Value; problem?: never } | { problem: string; value?: never }
