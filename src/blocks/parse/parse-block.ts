import type { DependencyRequest, ErrorReport, Parsed, Tag, UserQuestion } from '../items.ts'
import { parseDependency } from './dependency.ts'
import { parseErrorReport } from './error-report.ts'
import { parseQuestion } from './question.ts'

export type ParsedBlock =
  | { type: 'question'; question: UserQuestion }
  | { type: 'dependency'; dependency: DependencyRequest }
  | { type: 'error'; error: ErrorReport }
  | { type: 'malformed'; tag: Tag; reason: string; text: string }

/** Parses the text between the tags of a block. */
export function parseBlock(tag: Tag, text: string): ParsedBlock {
  switch (tag) {
    case 'USER_QUESTION':
      return result(parseQuestion(text), question => ({ type: 'question', question }))
    case 'DEPENDENCY_REQUEST':
      return result(parseDependency(text), dependency => ({ type: 'dependency', dependency }))
    default:
      return result(parseErrorReport(text), error => ({ type: 'error', error }))
  }

  function result<Value>({ value, problem }: Parsed<Value>, toBlock: (value: Value) => ParsedBlock): ParsedBlock {
    return problem === undefined ? toBlock(value) : { type: 'malformed', tag, reason: problem, text }
  }
}
