import type { SqliteConnection } from './connection.ts'
import { translateSqliteError } from './errors.ts'

/** Copies one consistent moment of the whole store into an empty SQLite file. */
export async function copyToSqlite(source: SqliteConnection, file: string): Promise<void> {
  try {
    source.rowsNow('vacuum into ?', [file])
  } catch (error) {
    throw translateSqliteError(error, file)
  }
}
