import { BeckonError } from '../../protocol/index.ts'
import type { Dialect } from '../dialect.ts'
import { stepsFrom } from '../migrations/index.ts'
import { latest, refuseNewer } from '../migrations/latest.ts'
import { retryWhileBusy, type SqliteConnection } from './connection.ts'
import { translateSqliteError } from './errors.ts'

// "bckn": marks a file as ours.
const applicationId = 0x62636b6e

/** Brings the schema up to date. Many processes may try at once: one gets the write lock, the others find it done. */
export async function migrateSqlite(connection: SqliteConnection, dialect: Dialect): Promise<void> {
  const { file } = connection
  if (readVersion() === latest) return
  await retryWhileBusy(file, () => connection.rowsNow('begin immediate', []))
  try {
    const version = readVersion()
    for (const step of stepsFrom(version, dialect.db, 'sqlite')) connection.database.exec(step)
    connection.database.pragma(`application_id = ${applicationId}`)
    connection.database.pragma(`user_version = ${latest}`)
    connection.database.exec('commit')
  } catch (error) {
    if (connection.database.inTransaction) connection.database.exec('rollback')
    throw translateSqliteError(error, file)
  }

  function readVersion(): number {
    try {
      const version = connection.pragma('user_version')
      refuseOtherPrograms(version)
      refuseNewer(version)
      return version
    } catch (error) {
      throw translateSqliteError(error, file)
    }
  }

  function refuseOtherPrograms(version: number) {
    const [tables] = connection.rowsNow<{ count: number }>('select count(*) as count from sqlite_master', [])
    if (isBeckonDatabase(connection) || (version === 0 && tables?.count === 0)) return
    throw new BeckonError(
      'damaged',
      `${file} belongs to another program. Nothing was changed; name another file in BECKON_DB.`,
    )
  }
}

export function isBeckonDatabase(connection: SqliteConnection): boolean {
  return connection.pragma('application_id') === applicationId
}
