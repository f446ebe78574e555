import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Segment } from '../guard/index.ts'
import type { Facts } from '../protocol/facts.ts'
import { commandLine } from './command-line.ts'
import { steeringVariables } from './environment.ts'
import type { CommandContext } from './workspace.ts'

const maxFiles = 100
const maxBytes = 16 << 20

/** The contents of every file that the command names, and the environment that steers it. */
export function takeFacts(words: readonly string[], { cwd, env }: CommandContext, segments: readonly Segment[]): Facts {
  const named = [...namedFiles(words, cwd, segments)].flatMap(path => {
    const content = hashContent(path)
    return content === null ? [] : [[path, content] as const]
  })
  const files = named.slice(0, maxFiles).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const variables = steeringVariables(env, commandLine(words))
  return {
    files: files.map(([path, hash]) => ({ path, hash })),
    programs: [],
    environment: variables.map(([name, value]) => ({ name, value })),
    unbound: [],
  }
}

/** Every word that could be a path, as it is written and as it is once decoded; `hashContent` drops what is not a file. */
function namedFiles(words: readonly string[], cwd: string, segments: readonly Segment[]): Set<string> {
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

/** Null where no file can be read. A file that is too big is identified by its size and its times. */
function hashContent(path: string): string | null {
  let file: number
  try {
    // A FIFO without a writer must not block us.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) return null
    if (stat.size > maxBytes) return `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
    return hash('sha256', readFileSync(file), 'base64url')
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
