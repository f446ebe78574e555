import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { BeckonError } from '../protocol/errors.ts'
import { writeFileAtomically } from '../system/atomic-file.ts'
import type { Addition } from './text/content.ts'

/** What setup wrote into one file. The hashes tell whether the file is still as it was left, or as it was before. */
export interface FileRecord extends Addition {
  path: string
  /** Null where there was no file. */
  before: string | null
  after: string
  /** The folders that were made for it, the innermost first. */
  folders: string[]
}

/**
 * What setup wrote for one agent in one scope. It is written before the files are, so that a crash leaves nothing that
 * cannot be undone: `files` is what the files become, `previous` what an earlier setup had left in them.
 */
export interface SetupRecord {
  version: 1
  agent: string
  project: string | null
  at: string
  files: FileRecord[]
  previous: FileRecord[]
}

export interface RecordName {
  agent: string
  project: string | null
}

export function readRecord(home: string, name: RecordName): SetupRecord | null {
  return readFile(fileOf(home, name))
}

export function listRecords(home: string): SetupRecord[] {
  return namesIn(folderOf(home))
    .filter(name => name.endsWith('.json'))
    .flatMap(name => readFile(join(folderOf(home), name)) ?? [])
}

export function writeRecord(home: string, record: SetupRecord): void {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 })
  writeFileAtomically(fileOf(home, record), `${JSON.stringify(record, null, 2)}\n`)
}

export function removeRecord(home: string, name: RecordName): void {
  rmSync(fileOf(home, name), { force: true })
}

export function lockFileOf(home: string): string {
  return join(folderOf(home), 'lock')
}

export function hashOf(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

function fileOf(home: string, { agent, project }: RecordName): string {
  const suffix = project === null ? '' : `-${createHash('sha256').update(project).digest('hex').slice(0, 16)}`
  return join(folderOf(home), `${agent}${suffix}.json`)
}

function folderOf(home: string): string {
  return join(home, 'setup')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function readFile(file: string): SetupRecord | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return null
  }
  try {
    // Whoever can write to our home can do worse than forge a record; this only notices damage.
    return schema.parse(JSON.parse(text)) as unknown as SetupRecord
  } catch {
    throw new BeckonError('damaged', `${file} is damaged. Remove what Beckon wrote by hand, then delete this file.`)
  }
}

const files = z.array(
  z.looseObject({
    path: z.string(),
    before: z.string().nullable(),
    after: z.string(),
    folders: z.array(z.string()),
    content: z.looseObject({ format: z.enum(['json', 'toml', 'whole']) }),
    edits: z.array(z.object({ offset: z.number(), removed: z.string(), inserted: z.string() })),
    made: z.array(z.array(z.string())),
  }),
)
const schema = z.looseObject({
  version: z.literal(1),
  agent: z.string(),
  project: z.string().nullable(),
  at: z.string(),
  files,
  previous: files,
})
