import type { Domain } from '../rule.ts'
import { backupGrammar, backupRules } from './backups.ts'
import { configurationRules } from './configuration.ts'
import { deployRules } from './deploy-scripts.ts'
import { infrastructureGrammar } from './grammar.ts'
import { machineRules } from './machines.ts'
import { terraformRules } from './terraform.ts'

export const infrastructure: Domain = {
  name: 'infrastructure',
  grammar: { ...infrastructureGrammar, ...backupGrammar },
  rules: [...terraformRules, ...configurationRules, ...machineRules, ...deployRules, ...backupRules],
}
