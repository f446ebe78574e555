import type { Domain } from '../rule.ts'
import { kubernetesToolGrammar, kubernetesToolRules } from './cluster-tools.ts'
import { kubectlGrammar, kubectlPrograms, kubectlRules } from './kubectl.ts'

export const kubernetes: Domain = {
  name: 'kubernetes',
  grammar: { ...Object.fromEntries(kubectlPrograms.map(name => [name, kubectlGrammar])), ...kubernetesToolGrammar },
  rules: [...kubectlRules, ...kubernetesToolRules],
}
