import type { Domain } from '../rule.ts'
import { packageGrammar } from './grammar.ts'
import { installingRules } from './installing.ts'
import { publishingRules } from './publishing.ts'
import { systemPackageRules } from './system-packages.ts'
import { trustingRules } from './trusting.ts'

export const packages: Domain = {
  name: 'packages',
  grammar: packageGrammar,
  rules: [...publishingRules, ...installingRules, ...systemPackageRules, ...trustingRules],
}
