import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import { UneditableFile } from './text/json.ts'

/** Where a path really leads: dotfiles are often links, and the link must stay one. A dangling link names its target. */
export function resolveLinks(path: string): string {
  for (let at = resolve(path), hops = 0; hops < 40; hops += 1) {
    if (existsSync(at)) return realpathSync(at)
    const isLink = lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    if (!isLink) return join(resolveFolder(dirname(at)), basename(at))
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw new BeckonError('invalid', `${path} is a link that leads to itself.`)
}

function resolveFolder(folder: string): string {
  if (folder === dirname(folder)) return folder
  return existsSync(folder) ? realpathSync(folder) : join(resolveFolder(dirname(folder)), basename(folder))
}

/** Null where there is no file. Bytes that are not UTF-8 are refused: they could not be written back. */
export function readConfig(path: string): string | null {
  const bytes = readBytes(path)
  if (bytes === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UneditableFile('it is not UTF-8 text')
  }
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw new BeckonError('invalid', `${path} cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Replaces a file as a whole, or deletes it where the text is null, unless it is not what it was when the change was
 * planned. It keeps its mode; a new one is for this user alone.
 */
export function writeConfig(path: string, before: string | null, after: string | null): void {
  if (readConfig(path) !== before) {
    throw new BeckonError('changed', `${path} was changed meanwhile. Run the same command again.`)
  }
  if (after === null) {
    rmSync(path, { force: true })
    return
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const stat = statSync(path, { throwIfNoEntry: false })
  // Renaming would cut a hard link, or take the file away from its owner.
  const mustStay = stat !== undefined && (stat.nlink > 1 || stat.uid !== process.getuid?.())
  if (mustStay) writeFileSync(path, after)
  else replaceFile(path, after, stat?.mode ?? 0o600)
}

function replaceFile(path: string, text: string, mode: number): void {
  const next = join(dirname(path), `.${basename(path)}.beckon-${process.pid}`)
  try {
    writeDurably(next, text)
    chmodSync(next, mode)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The folders that have to be made for a file, the innermost first. */
export function missingFolders(path: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(path); !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(folder)
  }
  return folders
}

/** Removes folders that are empty, the innermost first; others are somebody else's now. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
