import type { Domain } from '../rule.ts'
import { deletingRules } from './deleting.ts'
import { windowsGrammar } from './grammar.ts'
import { systemRules } from './system.ts'

export const windows: Domain = { name: 'windows', grammar: windowsGrammar, rules: [...deletingRules, ...systemRules] }
