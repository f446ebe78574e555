import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'
import type { Statements } from './statements/index.ts'

/** What both databases share: the query builder of the dialect and the statements compiled with it. */
export interface Dialect {
  readonly db: Kysely<Tables>
  readonly statements: Statements
}
