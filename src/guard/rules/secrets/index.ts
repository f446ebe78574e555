import type { Domain } from '../rule.ts'
import { keepingRules } from './copying.ts'
import { secretGrammar } from './grammar.ts'
import { shownRules } from './printing.ts'
import { safeRules } from './secret-managers.ts'

export const secrets: Domain = {
  name: 'secrets',
  grammar: secretGrammar,
  rules: [...shownRules, ...safeRules, ...keepingRules],
}
