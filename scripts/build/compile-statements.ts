import { compileStatements } from '../../src/store/sqlite/compiled-statements.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'

/** src/store/sqlite/compiled.ts for the commands. */
export function compiledModule(): string {
  return `export const compiled = ${JSON.stringify(compileStatements(sqliteDialect(null).statements))}`
}
