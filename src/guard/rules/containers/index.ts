import type { Domain } from '../rule.ts'
import { containerGrammar } from './grammar.ts'
import { hostAccessRules } from './host-access.ts'
import { otherMachineRules } from './other-machines.ts'
import { otherToolRules } from './other-tools.ts'
import { publishingRules } from './publishing.ts'
import { removingRules } from './removing.ts'

export const containers: Domain = {
  name: 'containers',
  grammar: containerGrammar,
  rules: [...removingRules, ...otherMachineRules, ...hostAccessRules, ...publishingRules, ...otherToolRules],
}
