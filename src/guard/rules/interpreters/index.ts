import type { Domain } from '../rule.ts'
import { interpreterGrammar } from './grammar.ts'
import { loadingRules } from './loading.ts'
import { scriptingRules } from './scripting.ts'

export const interpreters: Domain = {
  name: 'interpreters',
  grammar: interpreterGrammar,
  rules: [...scriptingRules, ...loadingRules],
}
