import type { CommandRule, Rule } from '../protocol/rule.ts'

/** Those about commands: a guard must not take the rest for permissions. */
export function commandRules(rules: readonly Rule[]): CommandRule[] {
  return rules.filter(rule => rule.scope !== 'answer')
}
