import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freshDatabase, preparedDatabase } from './postgres.ts'

export interface TestDatabase {
  name: string
  /** A new, empty database. */
  fresh(): Promise<string>
  /** A new database without requests, in which the tables may be there already. */
  prepared(): Promise<string>
}

const folders: string[] = []

/** Both databases; contract suites run on each. */
export const databases: TestDatabase[] = [
  { name: 'SQLite', fresh: newFile, prepared: newFile },
  { name: 'PostgreSQL', fresh: freshDatabase, prepared: preparedDatabase },
]

async function newFile(): Promise<string> {
  return join(temporaryFolder(), 'beckon.db')
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-test-'))
  folders.push(folder)
  return folder
}

/** Any key will do, as long as every hub of a test has the same. */
export const testKey = Buffer.alloc(32, 7).toString('base64')

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
