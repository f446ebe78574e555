import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Tables } from '../schema.ts'
import { statements } from '../statements/index.ts'

/** Kysely only builds the SQL; our own connection runs it. */
export function sqliteDialect(): Dialect {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: kysely => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return { db, statements: statements(db, 'sqlite') }
}
