import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Segment } from '../guard/index.ts'

/** What a yes is bound to: the words, the place, and the content of every file that the command names. */
export interface Binding {
  digest: string
  files: string[]
}

const mostFiles = 100
const mostBytes = 16 << 20

/** Taken when the command is looked at, and again right before it runs. */
export function bind(words: readonly string[], cwd: string, segments: readonly Segment[]): Binding {
  const named = [...filesNamed(words, cwd, segments)].flatMap(path => {
    const content = contentOf(path)
    return content === null ? [] : [[path, content] as const]
  })
  const files = named.slice(0, mostFiles).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = `sha256-${hash('sha256', JSON.stringify([words, cwd, files]), 'base64url')}`
  return { digest, files: files.map(([path]) => path) }
}

/** Every word that could be a path, as it is written and as it is once decoded; what is no file drops out. */
function filesNamed(words: readonly string[], cwd: string, segments: readonly Segment[]): Set<string> {
  const paths = new Set<string>()
  const add = (word: string, folder: string) => {
    for (const candidate of [word, word.replace(/^[^=]*=/, ''), word.replace(/^[@<]/, ''), word.replace(/^-\w/, '')]) {
      if (candidate !== '' && candidate.length < 4_096 && !candidate.includes('\0'))
        paths.add(resolve(folder, candidate))
    }
  }
  for (const word of words) {
    add(word, cwd)
    for (const part of word.split(/[\s'"`;|&<>()=@]+/).slice(0, 1_000)) add(part, cwd)
  }
  for (const { argv, cwd: folder } of segments) for (const word of argv) add(word, folder ?? cwd)
  return paths
}

/** Null where there is no file that can be read. One that is too big is known by its size and its times. */
function contentOf(path: string): string | null {
  let file: number
  try {
    // A FIFO without a writer must not keep us waiting.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const about = fstatSync(file, { bigint: true })
    if (!about.isFile()) return null
    if (about.size > mostBytes) return `${about.ino} ${about.size} ${about.mtimeNs} ${about.ctimeNs}`
    return hash('sha256', readFileSync(file), 'base64url')
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
