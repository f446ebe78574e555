import { parseShell } from '../../src/guard/shell/parse.ts'
import type { Part, SimpleCommand, Word } from '../../src/guard/shell/syntax-tree.ts'

export interface ShellCommands {
  /** The words of every command, also of those inside of `$( … )`. */
  commands: string[][]
  errors: readonly string[]
}

/** What stands for a value that only the shell knows. */
export const placeholder = 'VALUE'

/** Every command of a block. Where lines begin with `$ `, only those are commands, and the others what they print. */
export function shellCommands(block: string): ShellCommands {
  const script = parseShell(typedLines(block))
  return { commands: simpleCommands(script).map(wordsOf), errors: script.errors }
}

function typedLines(block: string): string {
  const lines = block.split('\n')
  if (!lines.some(line => line.startsWith('$ '))) return block
  return lines
    .filter(line => line.startsWith('$ '))
    .map(line => line.slice(2))
    .join('\n')
}

/** Every simple command in the tree, wherever it stands. */
function simpleCommands(node: unknown): SimpleCommand[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'kind' in node && node.kind === 'simple' ? [node as SimpleCommand] : []
  return [...own, ...Object.values(node).flatMap(simpleCommands)]
}

function wordsOf({ words }: SimpleCommand): string[] {
  return words.map(word => (word.kind === 'word' ? textOf(word) : `${word.name}=${placeholder}`))
}

function textOf({ parts }: Word): string {
  return parts.map(textOfPart).join('')
}

function textOfPart(part: Part): string {
  if (part.kind === 'text' || part.kind === 'glob') return part.text
  if (part.kind === 'tilde') return '~'
  if (part.kind === 'braces') return part.alternatives.map(textOf).join(',')
  return placeholder
}
