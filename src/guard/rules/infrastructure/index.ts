import type { Domain } from '../rule.ts'
import { list } from '../words.ts'
import { deployRules } from './deploy-scripts.ts'
import { hostGrammar, hostRules } from './machines.ts'
import { terraformGrammar, terraformRules } from './terraform.ts'

export const infrastructure: Domain = {
  name: 'infrastructure',
  grammar: {
    ...terraformGrammar,
    ...hostGrammar,
    make: { values: list('-C --directory -f --file --makefile -I -o -W') },
    gmake: { values: list('-C --directory -f --file --makefile -I -o -W') },
    just: { values: list('-f --justfile -d --working-directory --set') },
    task: { values: list('-t --taskfile -d --dir') },
  },
  rules: [...terraformRules, ...hostRules, ...deployRules],
}
