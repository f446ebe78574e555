import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** A path of an image that a message names. */
export interface NamedImage {
  readonly path: string
  /** `@path` asks for it: then it is said if there is none. A mere word may be a file that is yet to be made. */
  readonly isAsked: boolean
}

const name = String.raw`\.(?:png|jpe?g|gif|webp)`
const patterns = [
  // Terminals quote the path of a file that is dropped into them, or escape its spaces.
  new RegExp(String.raw`(@?)"([^"\n]+${name})"`, 'giu'),
  new RegExp(String.raw`(@?)'([^'\n]+${name})'`, 'giu'),
  new RegExp(String.raw`(?<![^\s(\[<])(@?)((?:\\.|[^\s"'\\()\[\]<>])+?${name})(?![\w/])`, 'giu'),
]

/** The images that a message names: `@shot.png`, `~/Desktop/shot.png`, `'with spaces.png'`, `with\ spaces.png`. */
export function imagesNamedIn(text: string, cwd: string): NamedImage[] {
  const found = new Map<string, NamedImage & { at: number }>()
  let rest = text
  for (const pattern of patterns) {
    for (const { 1: sign, 2: raw = '', index } of rest.matchAll(pattern)) {
      const path = resolve(cwd, expandHome(raw.replaceAll(/\\(.)/g, '$1').replace(/^file:\/\//, '')))
      if (!found.has(path)) found.set(path, { path, isAsked: sign === '@', at: index })
    }
    // A word inside quotes is not a path of its own.
    rest = rest.replaceAll(pattern, match => ' '.repeat(match.length))
  }
  return [...found.values()].toSorted((a, b) => a.at - b.at)
}

function expandHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
