import type { DependencyRequest, ErrorReport, Item, PhaseCompletion, TaskCompletion, UserQuestion } from './items.ts'
import { createScanner } from './scan/scanner.ts'

export type Protocol = UserQuestion | DependencyRequest | PhaseCompletion | TaskCompletion | ErrorReport

/** The first block of any kind in a complete output. For output that is still growing, use `createScanner`. */
export function detectProtocol(output: string): Protocol | null {
  for (const item of scan(output)) {
    const content = contentOf(item)
    if (content) return content
  }
  return null
}

/** The first well-formed question, or null. */
export function parseUserQuestion(output: string): UserQuestion | null {
  return scan(output).find(item => item.type === 'question')?.question ?? null
}

/** The first well-formed dependency request, or null. */
export function parseDependencyRequest(output: string): DependencyRequest | null {
  return scan(output).find(item => item.type === 'dependency')?.dependency ?? null
}

function scan(output: string): Item[] {
  const scanner = createScanner()
  return [...scanner.push(Buffer.from(output)), ...scanner.end()]
}

function contentOf(item: Item): Protocol | null {
  switch (item.type) {
    case 'question':
      return item.question
    case 'dependency':
      return item.dependency
    case 'error':
      return item.error
    case 'phase':
      return {
        phase: item.phase,
        title: item.title,
        completed: item.completed,
        files: item.files,
        ...(item.summary === undefined ? {} : { summary: item.summary }),
      }
    case 'custom-complete':
      return { task: item.task, summary: item.summary, files: item.files }
    default:
      return null
  }
}
