import type { Domain } from '../rule.ts'
import { adminToolRules } from './admin-tools.ts'
import { databaseGrammar } from './grammar.ts'
import { migrationRules } from './migrations.ts'
import { nosqlRules } from './nosql.ts'
import { sqlRules } from './sql.ts'

export const databases: Domain = {
  name: 'databases',
  grammar: databaseGrammar,
  rules: [...sqlRules, ...nosqlRules, ...adminToolRules, ...migrationRules],
}
