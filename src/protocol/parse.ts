import type * as z from 'zod'
import { invalid, type Problem } from './index.ts'

/** Parses at the edge: the result can be trusted; what does not fit is reported with the path of its field. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(firstProblems(result.error.issues.flatMap(issue => problemsOf(issue as Issue))))
}

/** A million wrong fields are not reported one by one. */
function firstProblems(problems: Problem[]): Problem[] {
  if (problems.length <= mostProblems) return problems
  return [...problems.slice(0, mostProblems), { path: '', message: 'there are more problems' }]
}

const mostProblems = 50
const longestName = 200

type Issue = { code: string; path: PropertyKey[]; message: string; errors?: Issue[][]; keys?: string[] }

function problemsOf(issue: Issue): Problem[] {
  if (issue.code === 'invalid_union' && issue.errors) {
    // The branch that matched furthest is the one that was meant.
    const meant = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? []
    if (depth(meant) > 0 || meant[0]?.code === 'custom') {
      return meant.flatMap(inner => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }))
    }
  }
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    return issue.keys
      .slice(0, mostProblems + 1)
      .map(key => ({ path: pathOf([...issue.path, key]), message: 'is not a known field' }))
  }
  return [{ path: pathOf(issue.path), message: plainMessage(issue) }]
}

function depth(issues: Issue[]): number {
  return Math.max(0, ...issues.map(issue => issue.path.length))
}

function pathOf(path: PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = String(part).slice(0, longestName)
    return text ? `${text}.${name}` : name
  }, '')
}

function plainMessage({ message }: Issue): string {
  return message.replace(/^Invalid input: /, '').replace(/^Invalid input$/, 'has an unknown form')
}
