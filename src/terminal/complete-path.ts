import { type Dirent, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Completion {
  /** The text as far as it is certain. */
  readonly text: string
  /** What it may become, if that is not certain yet. */
  readonly candidates: readonly string[]
}

/** Completes a path that a person began to write, as a shell would. Folders end with a slash. */
export function completePath(text: string, cwd: string): Completion {
  if (text === '~') return { text: '~/', candidates: [] }
  const split = text.lastIndexOf('/') + 1
  const begun = text.slice(split)
  const names = entriesOf(folderOf(text.slice(0, split), cwd), begun)
  const [first = begun] = names
  const certain = names.reduce(commonStart, first)
  return { text: text.slice(0, split) + certain, candidates: names.length > 1 ? names : [] }
}

function folderOf(written: string, cwd: string): string {
  return written.startsWith('~/') ? join(homedir(), written.slice(2)) : resolve(cwd, written)
}

/** Hidden files only where the person began with a dot. */
function entriesOf(folder: string, begun: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
      .map(entry => (isFolder(folder, entry) ? `${entry.name}/` : entry.name))
      .sort()
  } catch {
    return []
  }
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a
    .slice(0, length)
    .toWellFormed()
    .replace(/\ufffd$/, '')
}
