import { hash } from 'node:crypto'
import type { Segment } from '../guard/index.ts'
import type { Facts } from '../protocol/facts.ts'
import type { Hmac } from './facts/hmac.ts'
import { takeFacts } from './take-facts.ts'
import type { CommandContext } from './workspace.ts'

/** What a yes is bound to. It is taken when the action is shown, and again right before it runs. */
export interface Binding {
  readonly digest: string
  /** The files whose contents the digest covers. */
  readonly files: readonly string[]
  readonly facts: Facts
}

/** A command is its words, its directory, and the facts about it. */
export function bindCommand(
  words: readonly string[],
  context: CommandContext,
  segments: readonly Segment[],
  hmac: Hmac,
): Binding {
  const facts = takeFacts(words, context, segments, hmac)
  const { files, programs, environment } = facts
  const hashes = files.map(({ path, hash }) => [path, hash])
  const digest = digestOf([words, context.cwd, hashes, programs, environment])
  return { digest, facts, files: files.flatMap(({ path, hash }) => (hash === 'missing' ? [] : [path])) }
}

/** A call of a tool is the tool's name, its input and the directory. */
export function bindToolCall(tool: string, input: string, cwd: string): Binding {
  const facts = { files: [], programs: [], environment: [], unbound: [] }
  return { digest: digestOf([tool, input, cwd]), files: [], facts }
}

function digestOf(parts: readonly unknown[]): string {
  return `sha256-${hash('sha256', JSON.stringify(parts), 'base64url')}`
}
