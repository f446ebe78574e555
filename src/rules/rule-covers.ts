import type { ApprovalRequest, ParsedRule } from '../protocol/index.ts'
import type { RuleRecord } from '../store/records.ts'

// Whether a rule that a person made covers an action, told without the guard: what is not plainly covered is left for a person.

type Action = ApprovalRequest['action']

export function ruleCovers(record: RuleRecord, action: Action): boolean {
  const rule = record.rule as ParsedRule
  if (rule.verdict !== 'allow' || action.severity === 'critical') return false
  if (!action.reasons.every(reason => rule.covers.includes(reason.rule))) return false
  if (rule.scope === 'exact') {
    return rule.command === action.command && rule.cwd === action.cwd && rule.digest === action.digest
  }
  const words = plainWords(action.command)
  return isWithin(action.cwd, rule.within) && words !== null && rule.words.every((word, i) => words[i] === word)
}

/** Null where a shell would make something else of it than the words that are written. */
function plainWords(command: string): string[] | null {
  return /^[\w :.,@/=+%-]+$/.test(command) ? command.trim().split(/ +/) : null
}

function isWithin(folder: string, within: string): boolean {
  const isPlain = !folder.split('/').includes('..')
  return isPlain && (folder === within || folder.startsWith(within.endsWith('/') ? within : `${within}/`))
}
