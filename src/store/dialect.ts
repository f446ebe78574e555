import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'
import type { Statements } from './statements/index.ts'

/** The query builder for one database's SQL, and the statements that were built with it. */
export interface Dialect {
  readonly kind: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  readonly statements: Statements
}
