import type { Domain } from '../rule.ts'
import { deviceRules } from './devices.ts'
import { diskGrammar } from './grammar.ts'
import { volumeRules } from './volumes.ts'

export const disk: Domain = { name: 'disk', grammar: diskGrammar, rules: [...deviceRules, ...volumeRules] }
