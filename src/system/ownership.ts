import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'

// Other users of a machine must not be able to change what Beckon trusts: its database, its key, the sockets of its runs.
// Root can do so anyway. Windows has no owner and mode to check.

export interface Trust {
  /** Whether the group may write: under many systems' settings it may in every folder, and has this user alone in it. */
  group?: boolean
}

/** Refuses a folder or file that another user could change. One that does not exist yet is fine: Beckon makes it private. */
export function refuseIfOthersCanWrite(path: string, name: string, trust: Trust = {}): void {
  const problem = whoCanWrite(path, trust)
  if (problem) throw new BeckonError('invalid', `${name} ${path} ${problem}`)
}

/** How another user could change this folder or file, and what to do about it; null where nobody else can. */
export function whoCanWrite(path: string, { group = false }: Trust = {}): string | null {
  const uid = process.getuid?.()
  const stat = statOf(path)
  if (uid === undefined || stat === null) return null
  if (stat.uid !== uid && stat.uid !== 0) {
    return `belongs to another user (uid ${stat.uid}), who could read and change it; use one of your own.`
  }
  if ((stat.mode & (group ? 0o002 : 0o022)) === 0) return null
  // Folders such as /tmp are meant for everybody: their mode is not the mistake.
  const isOurs = stat.uid === uid && (stat.mode & 0o1000) === 0
  const advice = isOurs ? `run "chmod go-w ${resolve(path)}"` : 'use a folder of your own'
  return `can be written by other users, who could replace what is in it; ${advice}.`
}

/** The nearest folder above in which any user could replace this one; null where there is none. */
export function replaceableIn(path: string): string | null {
  for (let folder = dirname(path); process.getuid; folder = dirname(folder)) {
    const stat = statOf(folder)
    if (stat && (stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0) return folder
    if (folder === dirname(folder)) break
  }
  return null
}

/** Why a folder is not for this user alone; null where it is: not a link, ours, and with no rights for anybody else. */
export function whyNotPrivate(folder: string): string | null {
  const stat = lstatSync(folder)
  if (!stat.isDirectory()) return stat.isSymbolicLink() ? 'is a link' : 'is not a folder'
  const uid = process.getuid?.()
  if (uid === undefined) return null
  if (stat.uid !== uid) return `belongs to another user (uid ${stat.uid})`
  return (stat.mode & 0o077) === 0 ? null : 'is open to other users'
}

/** Null where there is nothing, or nothing that we can look at: using it reports why. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
