import type { Domain } from '../rule.ts'
import { gitGrammar } from './grammar.ts'
import { historyRules } from './history.ts'
import { hostingRules } from './hosting.ts'
import { launchingRules } from './launching.ts'
import { worktreeRules } from './worktree.ts'

export const git: Domain = {
  name: 'git',
  grammar: gitGrammar,
  rules: [...historyRules, ...worktreeRules, ...launchingRules, ...hostingRules],
}
