import type { Domain } from '../rule.ts'
import { builtinRules } from './builtins.ts'

export const shell: Domain = { name: 'shell', grammar: {}, rules: builtinRules }
