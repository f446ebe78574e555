import { BeckonError } from '../protocol/errors.ts'
import { createLock } from '../system/lock-file.ts'
import { missingFolders, readConfig, removeEmptyFolders, resolveLinks, writeConfig } from './config-file.ts'
import {
  type FileRecord,
  hashOf,
  lockFileOf,
  type RecordName,
  removeRecord,
  type SetupRecord,
  writeRecord,
} from './record.ts'
import { addContent, type Content, hasContent, isEmptyContent, removeContent } from './text/content.ts'
import { applyEdits, revertEdits } from './text/edit.ts'
import { UneditableFile } from './text/json.ts'

/** A file as setup wants it. */
export interface WantedFile {
  path: string
  content: Content
}

/** What becomes of one file; null stands for no file. */
export interface FileChange {
  path: string
  before: string | null
  after: string | null
  /** What to record about it; null where nothing of ours is left in it. */
  record: FileRecord | null
  /** Folders of ours that can go with it. */
  folders: string[]
}

/** Whether the files have what is wanted, and an earlier setup left nothing else in them. */
export function isSetUp(wanted: readonly WantedFile[], record: SetupRecord | null): boolean {
  const recorded = record?.files ?? null
  if (record !== null && record.previous.length > 0) return false
  if (recorded !== null && !sameFiles(wanted, recorded)) return false
  return wanted.every(({ path, content }) => {
    const text = readOrRefuse(resolveLinks(path))
    return text !== null && editing(path, () => hasContent(text, content))
  })
}

function sameFiles(wanted: readonly WantedFile[], recorded: readonly FileRecord[]): boolean {
  const keys = (files: readonly WantedFile[]) =>
    JSON.stringify(files.map(({ path, content }) => [resolveLinks(path), content]).toSorted())
  return keys(wanted) === keys(recorded)
}

/** What has to change so that the files have what is wanted, and nothing else of an earlier setup. */
export function planChanges(wanted: readonly WantedFile[], record: SetupRecord | null): FileChange[] {
  const wishes = new Map(wanted.map(({ path, content }) => [resolveLinks(path), content]))
  const earlier = [...(record?.files ?? []), ...(record?.previous ?? [])]
  const paths = new Set([...wishes.keys(), ...earlier.map(({ path }) => path)])
  const changes = Array.from(paths, path =>
    planFile(
      path,
      wishes.get(path),
      earlier.filter(file => file.path === path),
    ),
  )
  return changes.filter(({ before, after, record }) => before !== after || record !== null)
}

function planFile(path: string, content: Content | undefined, earlier: readonly FileRecord[]): FileChange {
  const before = readOrRefuse(path)
  const base = editing(path, () => withoutOurs(path, before, earlier))
  const folders = earlier.flatMap(file => file.folders)
  if (content === undefined) return { path, before, after: base, record: null, folders }
  const addition = editing(path, () => addContent(base ?? '', content))
  const after = applyEdits(base ?? '', addition.edits)
  const made = [...new Set([...missingFolders(path), ...folders])]
  const record = { path, before: hashOf(base), after: hashOf(after) ?? '', folders: made, ...addition }
  return { path, before, after, record, folders: [] }
}

/** The file as it would be had setup never run: exactly, or, where others changed it since, without our own part. */
function withoutOurs(path: string, text: string | null, earlier: readonly FileRecord[]): string | null {
  if (text === null) return null
  const hash = hashOf(text)
  const left = earlier.find(({ after }) => after === hash)
  if (left) return left.before === null ? null : revertEdits(text, left.edits)
  if (earlier.some(({ before }) => before === hash)) return text
  let changed: string | null = null
  for (const file of earlier) {
    const removed = removeContent(text, file)
    if ('changed' in removed) {
      changed ??= removed.changed
      continue
    }
    if (removed.text === text) continue
    return file.before === null && isEmptyContent(removed.text, file.content) ? null : removed.text
  }
  if (changed !== null) throw changedSince(path, changed)
  return text
}

function changedSince(path: string, what: string): BeckonError {
  return new BeckonError(
    'changed',
    `${path}: ${what} was changed since Beckon wrote it, so nothing was touched. Remove ${what} by hand and run the same command again.`,
  )
}

/** Writes the intent first, then the files, then the result: a crash in between can be undone or repeated. */
export function carryOut(
  home: string,
  name: RecordName,
  changes: readonly FileChange[],
  earlier: SetupRecord | null,
): void {
  const files = changes.flatMap(({ record }) => record ?? [])
  const previous = [...(earlier?.files ?? []), ...(earlier?.previous ?? [])]
  const record: SetupRecord = { version: 1, ...name, at: new Date().toISOString(), files, previous }
  if (files.length > 0) writeRecord(home, record)
  for (const { path, before, after, folders } of changes) {
    if (before !== after) writeConfig(path, before, after)
    if (after === null) removeEmptyFolders(folders)
  }
  if (files.length > 0) writeRecord(home, { ...record, previous: [] })
  else removeRecord(home, name)
}

/** One setup at a time. */
export async function whileLocked<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = createLock(lockFileOf(home))
  if (!lock.take())
    throw new BeckonError('in_use', 'Another beckon setup is running. Run it again when that one is done.')
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function readOrRefuse(path: string): string | null {
  return editing(path, () => readConfig(path))
}

function editing<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UneditableFile)) throw error
    throw new BeckonError('invalid', `${path}: ${error.message}. Nothing was changed.`)
  }
}
