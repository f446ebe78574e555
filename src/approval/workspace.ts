import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const known = new Map<string, string>()

/** The folder that an agent works in: the repository around the directory, else the directory itself. */
export function workspaceOf(cwd: string): string {
  const before = known.get(cwd)
  if (before !== undefined) return before
  const workspace = repositoryAround(cwd) ?? cwd
  if (known.size < 1_000) known.set(cwd, workspace)
  return workspace
}

function repositoryAround(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return null
  }
}

/** One word is a command line as a shell would read it; several are a program and its arguments. */
export function commandLine(words: readonly string[]): string {
  const [only] = words
  return words.length === 1 && only !== undefined ? only : spelled(words)
}

/** Words as one would type them, so that a shell reads just these. */
export function spelled(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
