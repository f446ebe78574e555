import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

// Longer than any HEAD or `.git` file that Git writes.
const mostBytes = 8_192
const longestName = 200

// Seconds. What is asked within this is asked on one branch.
const moment = 0.05

/** `branchOf` for a program that may ask thousands of times a second. */
export function createBranchLookup(uptime = () => process.uptime()): typeof branchOf {
  let last: { directory: string; branch: string | undefined; at: number } | null = null
  return directory => {
    const at = uptime()
    if (last?.directory !== directory || at - last.at >= moment) last = { directory, branch: branchOf(directory), at }
    return last.branch
  }
}

/**
 * The branch that is checked out in a directory, by Git's own files and without starting Git; `detached at 1a2b3c4`
 * where none is; undefined outside of a repository. It runs for every ask, so nothing in a repository can stop it.
 */
export function branchOf(directory: string): string | undefined {
  try {
    const folder = gitFolder(resolve(directory))
    const head = folder === null ? null : readSmallFile(join(folder, 'HEAD'))
    return head === null ? undefined : nameIn(head)
  } catch {
    return undefined
  }
}

/** In a worktree or a submodule, `.git` is a file that says where the folder is. */
function gitFolder(directory: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, '.git')
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return path
    if (found?.isFile()) {
      const [, target] = /^gitdir: (.+?)[\r\n]*$/s.exec(readSmallFile(path) ?? '') ?? []
      return target === undefined ? null : resolve(at, target)
    }
    if (dirname(at) === at) return null
  }
}

function nameIn(head: string): string | undefined {
  const [, commit] = /^([0-9a-f]{40,64})\s*$/.exec(head) ?? []
  if (commit !== undefined) return `detached at ${commit.slice(0, 7)}`
  const [, name] = /^ref: refs\/heads\/([^\s\p{C}]+)\s*$/u.exec(head) ?? []
  // With reftables, HEAD is a placeholder.
  return name === undefined || name === '.invalid' || name.length > longestName ? undefined : name
}

/** Null for anything but a file: a FIFO would wait for a writer. */
function readSmallFile(path: string): string | null {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return null
    const buffer = Buffer.allocUnsafe(mostBytes)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, mostBytes, 0))
  } finally {
    closeSync(file)
  }
}
