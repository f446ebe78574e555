import type { Domain } from '../rule.ts'
import { clusterToolRules } from './cluster-tools.ts'
import { kubernetesGrammar } from './grammar.ts'
import { kubectlRules } from './kubectl.ts'

export const kubernetes: Domain = {
  name: 'kubernetes',
  grammar: kubernetesGrammar,
  rules: [...kubectlRules, ...clusterToolRules],
}
