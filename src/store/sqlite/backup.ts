import type { SqliteConnection } from './connection.ts'
import { isDamage, translateSqliteError } from './errors.ts'

/** Copies one consistent moment of the whole store into an empty SQLite file. */
export async function copyToSqlite(source: SqliteConnection, target: string): Promise<void> {
  try {
    source.rowsNow('vacuum into ?', [target])
  } catch (error) {
    // Only what was read can be damaged; the copy is new.
    throw translateSqliteError(error, isDamage(error) ? source.file : target)
  }
}
