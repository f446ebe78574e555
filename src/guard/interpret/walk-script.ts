import type { ShellNode } from '../shell/syntax-tree.ts'
import { list } from '../word-list.ts'
import type { Frame, Reading } from './analysis.ts'
import { empty, type Stream } from './arguments.ts'
import { expandText, expandWord } from './expand.ts'
import { applyRedirects, reportWrites } from './redirects.ts'
import type { Scope } from './scope.ts'
import { runSimple } from './simple-command.ts'

const mostRounds = 64

/** Goes through a script as a shell would, running nothing; gives what the script writes, as far as it is known. */
export function walk(nodes: readonly ShellNode[], reading: Reading, scope: Scope, frame: Frame): Stream {
  let written = empty
  for (const node of nodes) written = follow(written, walkNode(node, reading, scope, frame))
  return written
}

function walkNode(node: ShellNode, reading: Reading, scope: Scope, frame: Frame): Stream {
  reading.step()
  switch (node.kind) {
    case 'simple':
      return runSimple(node, reading, scope, frame)
    case 'list':
      return walk(node.items, reading, scope, frame)
    case 'subshell':
      return walk(node.body, reading, scope.copy(), frame)
    case 'pipeline': {
      let stream = scope.stdin
      for (const [i, stage] of node.stages.entries()) {
        const inner = scope.copy()
        inner.stdin = stream
        const shown = frame.shown && node.stages.slice(i + 1).every(showsAll)
        stream = walkNode(stage, reading, inner, shown === frame.shown ? frame : { ...frame, shown })
      }
      return stream
    }
    case 'choice': {
      for (const word of node.words) expandText(word, reading, scope, frame)
      const conditions = walk(node.conditions, reading, scope, frame)
      const scopes = node.branches.map(() => scope.copy())
      const outputs = node.branches.map((branch, i) => walk([branch], reading, scopes[i] ?? scope, frame))
      scope.join(scopes)
      const from = outputs.reduce((bits, output) => bits | output.from, conditions.from)
      return { text: null, from, names: null }
    }
    case 'loop':
      return walkLoop(node, reading, scope, frame)
    case 'function':
      scope.functions.set(node.name, node.body)
      return empty
    case 'redirected': {
      const { stdin, writes } = applyRedirects(node.redirects, reading, scope, frame)
      const inner = stdin ? scope.copy() : scope
      if (stdin) inner.stdin = stdin
      const written = walkNode(node.body, reading, inner, writes.length > 0 ? { ...frame, shown: false } : frame)
      reportWrites(writes, written, reading, scope, frame)
      return writes.length > 0 ? empty : written
    }
    case 'test':
      for (const word of node.words) expandText(word, reading, scope, frame)
      return empty
  }
}

const passing = new Set(list('cat bat less more head tail tac nl xxd od hexdump base64 tr fold column rev tee sort'))

/** Whether all that comes in is seen in the end. */
function showsAll(node: ShellNode): boolean {
  if (node.kind !== 'simple' || node.redirects.length > 0) return false
  const [first] = node.words
  const [part] = first?.kind === 'word' ? first.parts : []
  return part?.kind === 'text' && passing.has(part.text)
}

/** The body once for every word; where there are too many or none, once with what is not known. */
function walkLoop(node: ShellNode & { kind: 'loop' }, reading: Reading, scope: Scope, frame: Frame): Stream {
  const { variable, words, body } = node
  if (variable === null) {
    for (const word of words) expandText(word, reading, scope, frame)
    return walk(body, reading, scope, frame)
  }
  const values = words.flatMap(word => expandWord(word, reading, scope, frame))
  let written = empty
  for (const { value, from, glob } of values.slice(0, mostRounds)) {
    scope.set(variable, { text: value, from, glob, list: null })
    written = follow(written, walk(body, reading, scope, frame))
  }
  if (values.length === 0 || values.length > mostRounds) {
    scope.set(variable, { text: '\0', from: 0, glob: false, list: null })
    written = follow(written, walk(body, reading, scope, frame))
  }
  return written
}

function follow(first: Stream, second: Stream): Stream {
  if (second === empty) return first
  if (first === empty) return second
  const text = first.text === null || second.text === null ? null : first.text + second.text
  return { text, from: first.from | second.from, names: first.names ?? second.names }
}
