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
    const matches = matcherOf(name)
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (name === '**' && entry.isDirectory() && !entry.name.startsWith('.')) walk(path, name, after)
      if (matches(entry.name)) enter(path, after)
    }
  }

  function enter(path: string, [next, ...after]: readonly string[]) {
    if (next !== undefined) walk(path, next, after)
    else if (found.length < limit) found.push(path)
    else isCut = true
  }
}

type Token = '*' | '?' | { readonly isNot: boolean; readonly members: string } | string

/** Whether a name matches; one step back per star, so that no pattern takes long. */
function matcherOf(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern)
  const showsHidden = /^[.…]/.test(pattern)
  return name => (showsHidden || !name.startsWith('.')) && isMatch(tokens, [...name])
}

function isMatch(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0
  let star = -1
  let starAt = 0
  for (let i = 0; i < name.length; ) {
    const token = tokens[at]
    if (token === '*') {
      star = at++
      starAt = i
    } else if (token !== undefined && isOne(token, name[i] ?? '')) {
      at += 1
      i += 1
    } else if (star >= 0) {
      at = star + 1
      i = ++starAt
    } else return false
  }
  return tokens.slice(at).every(token => token === '*')
}

function isOne(token: Token, character: string): boolean {
  if (typeof token === 'object') return isMember(token.members, character) !== token.isNot
  return token === '?' || token === `=${character}`
}

/** `a-z` is a range; a class such as [:digit:] is taken for any character. */
function isMember(members: string, character: string): boolean {
  if (/\[[:.=]/.test(members)) return true
  return [...members].some((one, i, all) => {
    const isRange = all[i + 1] === '-' && all[i + 2] !== undefined
    return one === character || (isRange && one <= character && character <= (all[i + 2] ?? ''))
  })
}

/** A literal character is written `=c`, so that a quoted star would not be taken for one that stands for others. */
function tokensOf(pattern: string): Token[] {
  return (pattern.match(/\[[!^]?\]?[^\]]*\]|./gsu) ?? []).map((part): Token => {
    if (part === '*' || part === '…') return '*'
    if (part === '?') return '?'
    if (part.length < 3 || !part.startsWith('[')) return `=${part}`
    const isNot = /^\[[!^]/.test(part)
    return { isNot, members: part.slice(isNot ? 2 : 1, -1) }
  })
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
