import type { Domain } from '../rule.ts'
import { kubectlGrammar, kubectlPrograms, kubectlRules } from './kubectl.ts'
import { kubernetesToolGrammar, kubernetesToolRules } from './tools.ts'

export const kubernetes: Domain = {
  name: 'kubernetes',
  grammar: { ...Object.fromEntries(kubectlPrograms.map(name => [name, kubectlGrammar])), ...kubernetesToolGrammar },
  rules: [...kubectlRules, ...kubernetesToolRules],
}
