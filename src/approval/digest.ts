import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Segment } from '../guard/index.ts'
import { commandLine } from './command-line.ts'
import { steeringVariables } from './environment.ts'
import type { CommandContext } from './workspace.ts'

/** What a yes is bound to. It is taken when the action is shown, and again right before it runs. */
export interface Binding {
  readonly digest: string
  /** The files whose contents the digest covers. */
  readonly files: readonly string[]
}

const maxFiles = 100
const maxBytes = 16 << 20

/** A command is its words, its directory, the contents of every file that it names, and the environment that steers it. */
export function bindCommand(
  words: readonly string[],
  { cwd, env }: CommandContext,
  segments: readonly Segment[],
): Binding {
  const named = [...namedFiles(words, cwd, segments)].flatMap(path => {
    const content = hashContent(path)
    return content === null ? [] : [[path, content] as const]
  })
  const files = named.slice(0, maxFiles).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const variables = steeringVariables(env, commandLine(words))
  return { digest: digestOf([words, cwd, files, variables]), files: files.map(([path]) => path) }
}

/** A call of a tool is the tool's name, its input and the directory. */
export function bindToolCall(tool: string, input: string, cwd: string): Binding {
  return { digest: digestOf([tool, input, cwd]), files: [] }
}

function digestOf(parts: readonly unknown[]): string {
  return `sha256-${hash('sha256', JSON.stringify(parts), 'base64url')}`
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
