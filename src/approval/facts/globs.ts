import { type Dirent, readdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

export interface Matches {
  readonly paths: readonly string[]
  /** There are more, or more folders to look into, than the limit. */
  readonly isCut: boolean
}

const maxFolders = 1_000
const globCharacters = /[*?[…]/

/** Whether a word stands for names that are known only once it is expanded. `…` is how the guard writes an unknown part. */
export function isGlob(word: string): boolean {
  return globCharacters.test(word)
}

/** What a shell would make of a pattern, in order; `**` goes through all folders, and hidden names must be written so. */
export function expandGlob(pattern: string, cwd: string, limit: number): Matches {
  const [first, ...rest] = (isAbsolute(pattern) ? pattern.slice(1) : pattern).split('/').filter(name => name !== '')
  const found: string[] = []
  let folders = 0
  let isCut = false
  if (first !== undefined) walk(isAbsolute(pattern) ? '/' : cwd, first, rest)
  return { paths: found.toSorted(), isCut }

  function walk(folder: string, name: string, after: readonly string[]) {
    if (found.length >= limit || folders >= maxFolders) {
      isCut = true
      return
    }
    if (!isGlob(name)) return enter(join(folder, name), after)
    folders += 1
    const matcher = matcherOf(name)
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (name === '**' && entry.isDirectory() && !entry.name.startsWith('.')) walk(path, name, after)
      if (matcher.test(entry.name)) enter(path, after)
    }
  }

  function enter(path: string, [next, ...after]: readonly string[]) {
    if (next !== undefined) walk(path, next, after)
    else if (found.length < limit) found.push(path)
    else isCut = true
  }
}

function matcherOf(name: string): RegExp {
  const body = name.replaceAll(/\[[!^]?\]?[^\]]*\]|[\\^$.|+(){}[\]*?…]/g, part => {
    if (part === '*' || part === '…') return '.*'
    if (part === '?') return '.'
    if (part.length > 1) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')
    return `\\${part}`
  })
  try {
    return new RegExp(`^${/^[.…]/.test(name) ? '' : '(?!\\.)'}${body}$`, 's')
  } catch {
    return /^.*$/s
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
