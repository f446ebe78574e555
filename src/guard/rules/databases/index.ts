import type { Domain } from '../rule.ts'
import { adminToolRules } from './admin-tools.ts'
import { brokerGrammar, brokerRules } from './brokers.ts'
import { databaseGrammar } from './grammar.ts'
import { httpStoreRules } from './http-requests.ts'
import { migrationRules } from './migrations.ts'
import { nosqlRules } from './nosql.ts'
import { rawConnectionRules } from './raw-connections.ts'
import { sqlRules } from './sql.ts'

export const databases: Domain = {
  name: 'databases',
  grammar: { ...databaseGrammar, ...brokerGrammar },
  rules: [
    ...sqlRules,
    ...nosqlRules,
    ...adminToolRules,
    ...migrationRules,
    ...brokerRules,
    ...httpStoreRules,
    ...rawConnectionRules,
  ],
}
