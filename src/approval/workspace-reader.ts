import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs'
import type { FileText, ReadFile } from '../guard/index.ts'
// Not from the guard's index: every command knows its workspace, and few need the guard.
import { limits } from '../guard/interpret/limits.ts'
import { decodeText } from './facts/read-file.ts'

// UTF-8 has at most three bytes for what counts as one character.
const maxBytes = limits.fileSize * 3

/**
 * Opens the scripts of a workspace for the guard: regular text files of a limited size whose real path lies in it. A link
 * that leads out of it, a pipe or a device stays unknown, and so does a file that is exchanged while it is opened.
 */
export function workspaceReader(workspace: string): ReadFile {
  return path => {
    try {
      return readInside(path, realpathSync(workspace))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null
      return { unread: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable' }
    }
  }
}

function readInside(path: string, workspace: string): FileText {
  const real = realpathSync(path)
  if (!real.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`)) return { unread: 'outside' }
  // Opening a pipe would wake up whoever writes to it.
  if (!lstatSync(real).isFile()) return { unread: 'not-a-file' }
  // Should it have become a pipe or a link since: neither wait for it nor follow it.
  const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const opened = fstatSync(file, { bigint: true })
    if (!opened.isFile()) return { unread: 'not-a-file' }
    if (pathOf(file, opened, real) !== real) return { unread: 'unreadable' }
    if (opened.size > maxBytes) return { unread: 'too-large' }
    const text = decodeText(readStart(file))
    if (text === null) return { unread: 'not-text' }
    return text.length > limits.fileSize ? { unread: 'too-large' } : { text }
  } finally {
    closeSync(file)
  }
}

/**
 * Where an open file is. A folder above it may have been exchanged for a link since its path was resolved; Linux tells the
 * path of the file itself, elsewhere the path must still lead to it.
 */
function pathOf(file: number, { dev, ino }: BigIntStats, path: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    const now = lstatSync(path, { bigint: true })
    return now.dev === dev && now.ino === ino ? realpathSync(path) : null
  }
}

/** At most one byte more than is allowed, however fast the file grows. */
function readStart(file: number): Buffer {
  const buffer = Buffer.allocUnsafe(maxBytes + 1)
  let length = 0
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null)
    if (read === 0) return buffer.subarray(0, length)
    length += read
  }
}
