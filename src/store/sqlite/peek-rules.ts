import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { RuleRecord } from '../records.ts'
import { rowToRule } from '../rows.ts'
import type { RuleRow } from '../schema.ts'

/**
 * Every rule in this database, without opening the store: that takes longer than everything else that a hook does for a
 * harmless command. Null where it is not as simple as that, and only the store can tell. Node's own SQLite loads faster than
 * ours; the two must not have the same file open in one process at a time, or closing one drops the locks of the other.
 */
export function peekRules(file: string): RuleRecord[] | null {
  try {
    return existsSync(`${file}-wal`) ? peekBesideOthers(file) : peekAlone(file)
  } catch {
    return null
  }
}

/** Others have it open, and their log is part of it. */
function peekBesideOthers(file: string): RuleRecord[] | null {
  // SQLite would have to make one, which is for the store to do.
  return existsSync(`${file}-shm`) ? readRules(file) : null
}

/** Nobody has it open. Without a log, SQLite reads it only as a file that does not change, so we check that it did not. */
function peekAlone(file: string): RuleRecord[] | null {
  const before = stateOf(file)
  const rules = readRules(`${pathToFileURL(file).href}?immutable=1`)
  return existsSync(`${file}-wal`) || stateOf(file) !== before ? null : rules
}

function stateOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true })
  return [ino, size, mtimeNs].join()
}

function readRules(file: string): RuleRecord[] {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  try {
    return (database.prepare('select * from rules').all() as unknown as RuleRow[]).map(rowToRule)
  } finally {
    database.close()
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
