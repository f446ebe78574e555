import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workspaceOf } from '../../approval/workspace.ts'
import { workspaceReader } from '../../approval/workspace-reader.ts'
import type { FileText } from '../../guard/index.ts'
import { importsIn } from './imports.ts'

/** A file of instructions as it was found. */
interface InstructionFile {
  readonly path: string
  readonly text: string
  /** The user's own file, or one that came with the project. */
  readonly from: 'user' | 'project'
}

export interface FoundInstructions {
  /** The most general first. */
  readonly files: readonly InstructionFile[]
  /** What was found and not read, in sentences for a person. */
  readonly left: readonly string[]
}

const names = ['AGENTS.md', 'CLAUDE.md'] as const

/**
 * The user's own AGENTS.md, then AGENTS.md and CLAUDE.md of every folder from the root of the repository down to the
 * working directory. A project's files are text of strangers: links out of it, pipes and devices are not read.
 */
export function findInstructions(home: string, cwd: string): FoundInstructions {
  const files: InstructionFile[] = []
  const left: string[] = []
  const seen = new Set<string>()
  const own = join(home, names[0])
  take(own, realFolder(home, own), 'user')
  const root = workspaceOf(cwd)
  for (const folder of foldersBetween(root, cwd)) {
    for (const name of names) take(join(folder, name), root, 'project')
  }
  return { files, left }

  function take(path: string, inside: string, from: InstructionFile['from']) {
    const read = readNew(path, inside)
    if (read === null) return
    if (!files.some(file => dirname(file.path) === dirname(path) && file.text === read))
      files.push({ path, text: read, from })
    if (from === 'user' || !path.endsWith('CLAUDE.md')) return
    for (const imported of importsIn(read, dirname(path))) {
      const text = readNew(imported, root)
      if (text !== null) files.push({ path: imported, text, from })
    }
  }

  /** Null where it is not there, was read already, is empty, or may not be read. */
  function readNew(path: string, inside: string): string | null {
    const real = realPath(path)
    if (real === null || seen.has(real)) return null
    seen.add(real)
    const read = workspaceReader(inside)(path)
    if ('text' in read) return read.text.trim() === '' ? null : read.text.toWellFormed()
    const why = reasons[read.unread]
    if (why) left.push(`${path} was not read: ${why}.`)
    return null
  }
}

const reasons: Partial<Record<Extract<FileText, { unread: unknown }>['unread'], string>> = {
  outside: 'it leads out of the project',
  'not-a-file': 'it is not a regular file',
  'too-large': 'it is longer than 100,000 characters',
  'not-text': 'it is not text',
  unreadable: 'it cannot be read',
}

/** The user may keep their own file elsewhere, and link to it. */
function realFolder(home: string, path: string): string {
  return dirname(realPath(path) ?? join(home, 'x'))
}

function realPath(path: string): string | null {
  try {
    // A folder of that name is not meant for us.
    return statSync(path).isDirectory() ? null : realpathSync(path)
  } catch {
    return null
  }
}

/** From the root down. */
function foldersBetween(root: string, cwd: string): string[] {
  const folders = [cwd]
  for (let folder = cwd; folder !== root && dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}
