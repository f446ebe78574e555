import { invalid } from '../../protocol/errors.ts'
import type { HookOptions } from './run-hook.ts'

/** `beckon hook` as src/cli/commands/hook.ts describes it, read without loading a parser for all commands. */
export function readArguments(words: readonly string[]): { host: string; options: HookOptions } {
  const options: HookOptions = {}
  const hosts: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [, name = '', given] = /^--(\w+)(?:=(.*))?$/s.exec(words[at] ?? '') ?? []
    switch (name) {
      case 'wait':
      case 'confirm':
        options[name] = given ?? needed(words[++at], name)
        break
      case 'review':
      case 'resume':
        options[name] = true
        break
      default:
        hosts.push(words[at] ?? '')
    }
  }
  const [host, ...more] = hosts
  if (host === undefined || more.length > 0) {
    throw invalid([
      { path: 'hook', message: `takes one host: claude, codex, gemini or opencode. ${more.join(' ')}`.trimEnd() },
    ])
  }
  return { host, options }
}

function needed(word: string | undefined, name: string): string {
  if (word === undefined) throw invalid([{ path: `--${name}`, message: 'needs a value' }])
  return word
}
