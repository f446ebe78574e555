import type { Domain } from '../rule.ts'
import { accountRules } from './accounts.ts'
import { exhaustionRules } from './exhaustion.ts'
import { systemGrammar } from './grammar.ts'
import { powerRules } from './power.ts'
import { privilegeRules } from './privileges.ts'
import { protectionRules } from './protection.ts'

export const system: Domain = {
  name: 'system',
  grammar: systemGrammar,
  rules: [...powerRules, ...accountRules, ...protectionRules, ...privilegeRules, ...exhaustionRules],
}
