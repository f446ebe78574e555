import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { Language, type Node, Parser } from 'web-tree-sitter'
import { parseShell } from '../../src/guard/shell/parse.ts'
import type { Part, Redirect, ShellNode, ShellScript, Word } from '../../src/guard/shell/syntax-tree.ts'
import { classifyInProject } from './classify-in-project.ts'
import { readCorpus } from './corpus.ts'

// If another shell parser sees something that ours does not, the guard must not say "allow".
const commands = readCorpus().flatMap(collection => collection.commands)
let parser: Parser

beforeAll(async () => {
  await Parser.init()
  const wasm = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm')
  parser = new Parser()
  parser.setLanguage(await Language.load(wasm))
})

it('finds every program that tree-sitter-bash finds, or asks about the command', () => {
  let compared = 0
  for (const command of commands) {
    const ours = new Set(namesIn(parseShell(command)))
    const missing = namesByTreeSitter(command).filter(name => !ours.has(name))
    compared += 1
    if (missing.length > 0)
      expect(classifyInProject(command).verdict, `${command}: ${missing.join(', ')}`).not.toBe('allow')
  }
  expect(compared).toBeGreaterThan(1_000)
})

it('reads every command that bash accepts, and asks about those that bash refuses', () => {
  const disagreed: string[] = []
  // Only every fourth command, because each one starts a process.
  const some = commands.filter((_, i) => i % 4 === 0)
  const accepted = acceptedByBash(some)
  expect(accepted.length).toBe(some.length)
  for (const [i, command] of some.entries()) {
    const isFine = accepted[i]
    const isRead = parseShell(command).errors.length === 0
    if (isFine === isRead) continue
    disagreed.push(command)
    expect(classifyInProject(command).verdict, command).not.toBe('allow')
  }
  // The two agree on nearly everything; if they do not, one of them has changed.
  expect(disagreed.length).toBeLessThan(commands.length / 200)
}, 120_000)

it('asks about incomplete commands', () => {
  for (const command of [
    'echo "a',
    "echo 'a",
    'if true; then',
    'for i in a; do ls',
    '(ls',
    'echo $(ls',
    'ls &&',
    '| ls',
    'case a in',
    '{ ls',
  ]) {
    expect(classifyInProject(command).verdict, command).toBe('ask')
  }
})

/** One bash starts the others, which is much cheaper than starting them from here. */
function acceptedByBash(commands: readonly string[]): boolean[] {
  const script = `while IFS= read -r -d '' one; do printf %s "$one" | bash -n -O extglob 2>/dev/null; echo $?; done`
  const { stdout } = spawnSync('bash', ['-c', script], { input: `${commands.join('\0')}\0`, encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map(code => code === '0')
}

/** Only names that the text spells out: tree-sitter does not resolve quotes and expansions. */
function namesByTreeSitter(command: string): string[] {
  const tree = parser.parse(command)
  const names: string[] = []
  if (tree) visit(tree.rootNode)
  tree?.delete()
  return names

  function visit(node: Node) {
    // Our parser treats `time` as a keyword, tree-sitter as a program.
    if (node.type === 'command_name' && /^(?!time$)[\w./-]+$/.test(node.text)) names.push(node.text)
    for (const child of node.children) if (child) visit(child)
  }
}

function namesIn(ir: ShellScript): string[] {
  return ir.body.flatMap(namesOf)
}

function namesOf(node: ShellNode): string[] {
  switch (node.kind) {
    case 'simple': {
      const [head] = node.words
      const name = head?.kind === 'word' ? head.parts.map(part => (part.kind === 'text' ? part.text : '')).join('') : ''
      const values = [...node.assignments, ...node.words].flatMap(word =>
        word.kind === 'word' ? [word] : [word.value].flat(),
      )
      const targets = node.redirects.flatMap(wordsOf)
      return [name, ...[...values, ...targets].flatMap(inWord)]
    }
    case 'pipeline':
      return node.stages.flatMap(namesOf)
    case 'list':
      return node.items.flatMap(namesOf)
    case 'choice':
      return [...[...node.conditions, ...node.branches].flatMap(namesOf), ...node.words.flatMap(inWord)]
    case 'loop':
      return [...node.body.flatMap(namesOf), ...node.words.flatMap(inWord)]
    case 'redirected':
      return [...namesOf(node.body), ...node.redirects.flatMap(wordsOf).flatMap(inWord)]
    case 'test':
      return node.words.flatMap(inWord)
    default:
      return node.body.flatMap(namesOf)
  }
}

function wordsOf(redirect: Redirect): Word[] {
  if (redirect.kind === 'text') return [redirect.body]
  return redirect.target ? [redirect.target] : []
}

function inWord(word: Word): string[] {
  return word.parts.flatMap(inPart)
}

function inPart(part: Part): string[] {
  if (part.kind === 'output' || part.kind === 'process') return namesIn(part.script)
  if (part.kind === 'evaluated') return inWord(part.word)
  if (part.kind === 'number') return part.words.flatMap(inWord)
  if (part.kind === 'braces') return part.alternatives.flatMap(inWord)
  if (part.kind === 'parameter') return part.operation?.operands.flatMap(inWord) ?? []
  return []
}
