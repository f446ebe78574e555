import type { ApprovalRequest, Rule } from '../protocol/index.ts'

type Action = ApprovalRequest['action']

/** Whether a person's rule covers an action, judged without the guard: in doubt it does not, and a person decides. */
export function ruleCovers(rule: Rule, action: Action): boolean {
  if (rule.verdict !== 'allow' || action.severity === 'critical') return false
  if (!action.reasons.every(reason => rule.covers.includes(reason.rule))) return false
  if (rule.scope === 'exact') {
    return rule.command === action.command && rule.cwd === action.cwd && rule.digest === action.digest
  }
  const words = plainWords(action.command)
  return isWithin(action.cwd, rule.within) && words !== null && rule.words.every((word, i) => words[i] === word)
}

/** Null where a shell would make something else of the command than the words that are written. */
function plainWords(command: string): string[] | null {
  return /^[\w :.,@/=+%-]+$/.test(command) ? command.trim().split(/ +/) : null
}

function isWithin(folder: string, within: string): boolean {
  const isPlain = !folder.split('/').includes('..')
  return isPlain && (folder === within || folder.startsWith(within.endsWith('/') ? within : `${within}/`))
}
