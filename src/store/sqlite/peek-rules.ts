import { existsSync } from 'node:fs'
import type { RuleRecord } from '../records.ts'
import { rowToRule } from '../rows.ts'
import type { RuleRow } from '../schema.ts'

/**
 * Every rule in this database, without opening the store: that takes longer than everything else that a hook does for a
 * harmless command. Null where it is not as simple as that, and only the store can tell. Node's own SQLite loads faster than
 * ours; the two must not have the same file open in one process at a time, or closing one drops the locks of the other.
 */
export function peekRules(file: string): RuleRecord[] | null {
  // Without its log, SQLite would have to make one, which is for the store to do.
  if (!existsSync(`${file}-wal`) || !existsSync(`${file}-shm`)) return null
  try {
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
    try {
      return (database.prepare('select * from rules').all() as unknown as RuleRow[]).map(rowToRule)
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

/** Without the warning that it is experimental: a host would read it as ours. */
function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
