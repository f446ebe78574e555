import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Tables } from '../schema.ts'
import { type Statements, statements } from '../statements/index.ts'
import { compiled } from './compiled.ts'
import { readStatements } from './compiled-statements.ts'

/** Kysely only builds the SQL; our own connection runs it. Both are made when something needs them. */
export function sqliteDialect(precompiled = compiled): Dialect {
  let db: Kysely<Tables> | null = null
  let built: Statements | null = null
  const read = precompiled && readStatements(precompiled, build)
  return {
    kind: 'sqlite',
    get db() {
      return kysely()
    },
    get statements() {
      return read ?? build()
    },
  }

  function build(): Statements {
    built ??= statements(kysely(), 'sqlite')
    return built
  }

  function kysely(): Kysely<Tables> {
    db ??= new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: kysely => new SqliteIntrospector(kysely),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
    return db
  }
}
