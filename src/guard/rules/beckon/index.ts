import type { Domain } from '../rule.ts'
import { agentRules } from './agents.ts'
import { codeRules } from './code.ts'
import { commandRules } from './commands.ts'
import { fileRules } from './files.ts'
import { beckonGrammar } from './grammar.ts'

/** Beckon itself: an agent that could answer, open the database or read the key would approve its own commands. */
export const beckon: Domain = {
  name: 'beckon',
  grammar: beckonGrammar,
  rules: [...commandRules, ...fileRules, ...codeRules, ...agentRules],
}
