import { expect } from 'vitest'
import type { DependencyRequest, ErrorReport, Tag, UserQuestion } from '../../../src/blocks/index.ts'

/** What an agent printed, and what is to be found in it, in order; places are checked elsewhere. */
export type Case = [name: string, output: string | Uint8Array, ...found: object[]]

export function question(asked: Partial<UserQuestion> & { question: string }) {
  return { type: 'question', question: { category: 'choice', required: true, ...asked } }
}

export function dependency(asked: Partial<DependencyRequest>) {
  return {
    type: 'dependency',
    dependency: { type: 'api_key', name: 'KEY', description: 'For tests', required: true, ...asked },
  }
}

export function phase(
  phase: number | string,
  title: string,
  files: string[],
  completed: string | null = null,
  summary?: string,
) {
  return { type: 'phase', phase, title, completed, files, ...(summary === undefined ? {} : { summary }) }
}

export function task(task: string | null, summary: string | null, files: string[] = []) {
  return { type: 'custom-complete', task, summary, files }
}

export function error(report: Partial<ErrorReport> & { message: string }) {
  return { type: 'error', error: { type: null, details: null, recovery: null, fatal: false, ...report } }
}

/** Malformed, with these words in its reason. */
export function malformed(tag: Tag, ...words: string[]) {
  return {
    type: 'malformed',
    tag,
    reason: expect.toSatisfy(reason => words.every(word => reason.includes(word))),
    text: expect.any(String),
  }
}

export function fenced(tag: Tag, text: string) {
  return { type: 'fenced', tag, text }
}

/** A question block with these lines. */
export function asks(...lines: string[]): string {
  return ['[USER_QUESTION]', ...lines, '[/USER_QUESTION]', ''].join('\n')
}

/** One whose other fields are of no interest. */
export function asksWith(...lines: string[]): string {
  return asks('category: choice', 'question: Which?', ...lines)
}

export function needs(...lines: string[]): string {
  return ['[DEPENDENCY_REQUEST]', ...lines, '[/DEPENDENCY_REQUEST]', ''].join('\n')
}
