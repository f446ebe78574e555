import { kubectlGrammar, kubectlPrograms, kubectlRules } from './kubernetes-kubectl.ts'
import { kubernetesToolGrammar, kubernetesToolRules } from './kubernetes-tools.ts'
import type { Domain } from './rule.ts'

export const kubernetes: Domain = {
  name: 'kubernetes',
  grammar: { ...Object.fromEntries(kubectlPrograms.map(name => [name, kubectlGrammar])), ...kubernetesToolGrammar },
  rules: [...kubectlRules, ...kubernetesToolRules],
}
