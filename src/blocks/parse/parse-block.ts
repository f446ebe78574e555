import type { AskInput } from '../../protocol/ask.ts'
import { askDependency, askQuestion } from '../block-to-ask.ts'
import type { DependencyRequest, ErrorReport, Reading, Tag, UserQuestion } from '../items.ts'
import { askProblem } from '../validate-item.ts'
import { readDependency } from './dependency.ts'
import { readErrorReport } from './error-report.ts'
import { readQuestion } from './question.ts'

export type ParsedBlock =
  | { type: 'question'; question: UserQuestion }
  | { type: 'dependency'; dependency: DependencyRequest }
  | { type: 'error'; error: ErrorReport }
  | { type: 'malformed'; tag: Tag; reason: string; text: string }

/** What a block says, from the text between its tags. A question or dependency that comes out can be asked as it is. */
export function parseBlock(tag: Tag, text: string): ParsedBlock {
  switch (tag) {
    case 'USER_QUESTION': {
      const { value, problem } = checked(readQuestion(text), askQuestion)
      return value ? { type: 'question', question: value } : malformed(problem)
    }
    case 'DEPENDENCY_REQUEST': {
      const { value, problem } = checked(readDependency(text), askDependency)
      return value ? { type: 'dependency', dependency: value } : malformed(problem)
    }
    default: {
      const { value, problem } = readErrorReport(text)
      return value ? { type: 'error', error: value } : malformed(problem)
    }
  }

  function malformed(reason: string | undefined): ParsedBlock {
    return { type: 'malformed', tag, reason: reason ?? '', text }
  }
}

/** Also by the rules of whoever will be asked. */
function checked<Asked>(reading: Reading<Asked>, toAsk: (asked: Asked) => AskInput): Reading<Asked> {
  if (reading.problem !== undefined) return reading
  const problem = askProblem(toAsk(reading.value))
  return problem === null ? reading : { problem }
}
