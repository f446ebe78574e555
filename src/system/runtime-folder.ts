import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import { whyNotPrivate } from './ownership.ts'

/**
 * A folder with a short path for sockets and locks: in XDG_RUNTIME_DIR, else in the temporary folder. Everybody can write
 * to the latter and knows the name, so a folder that is not ours alone is refused.
 */
export function runtimeFolder(env: NodeJS.ProcessEnv = process.env): string {
  const folder = isUsable(env.XDG_RUNTIME_DIR)
    ? join(env.XDG_RUNTIME_DIR, 'beckon')
    : join(tmpdir(), `beckon-${process.getuid?.() ?? 'user'}`)
  makeFolder(folder)
  refuseUnlessPrivate(folder)
  return folder
}

/** Refuses a folder in which another user could put a socket or a lock. */
export function refuseUnlessPrivate(folder: string): void {
  const problem = whyNotPrivate(folder)
  if (problem === null) return
  throw new BeckonError(
    'not_allowed',
    `${folder} ${problem}, and Beckon keeps sockets in it. Remove it, or set XDG_RUNTIME_DIR to a folder of your own with mode 0700.`,
  )
}

// The path of a socket in it must fit into a hundred bytes.
const longestRuntimeDir = 50

/** After `su`, the variable may name the folder of another user. */
function isUsable(folder: string | undefined): folder is string {
  if (!folder || !isAbsolute(folder) || Buffer.byteLength(folder) > longestRuntimeDir) return false
  try {
    return whyNotPrivate(folder) === null
  } catch {
    return false
  }
}

/** Not `recursive`, which would accept a link to a folder. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
