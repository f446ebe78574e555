import { unknownText } from './interpret/arguments.ts'

/**
 * How git holds what lies at a place in the workspace, with everything below it. What a build makes again does not count.
 *
 * committed       git can bring back all of it, or nothing is there
 * uncommitted     something is untracked, or differs from the last commit
 * ignored         something is untracked because git ignores it: `.env`, a local database
 * no-repository   it is in no work tree of git
 * unknown         git could not say
 */
export type GitState = 'committed' | 'uncommitted' | 'ignored' | 'no-repository' | 'unknown'

/**
 * Says how git holds a file or folder, or what matches a pattern in a folder: `*.bak`, or at any depth with two stars and a
 * slash before it. The guard asks only where something is deleted.
 */
export type ReadGitState = (path: string, pattern: string | null) => GitState

/** Asks about a path in which names may be patterns, or known only at run time. */
export function gitStateOf(
  read: ReadGitState,
  path: string,
  { glob, anyDepth }: { glob: boolean; anyDepth: boolean },
): GitState {
  const names = path.split('/')
  const at = names.findIndex(name => name.includes(unknownText) || (glob && /[*?[]/.test(name)))
  try {
    if (at < 0) return read(path, null)
    const pattern = names.slice(at).join('/').replaceAll(unknownText, '*')
    const folder = names.slice(0, at).join('/') || '/'
    // Git does not know the extended patterns of bash.
    if (/[(){}!|\\]/.test(pattern)) return read(folder, '**')
    return read(folder, anyDepth ? `**/${pattern}` : pattern)
  } catch {
    return 'unknown'
  }
}
