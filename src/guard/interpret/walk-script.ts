import type { ShellNode } from '../shell/syntax-tree.ts'
import { list } from '../word-list.ts'
import type { Analysis, Frame } from './analysis.ts'
import { reportExhaustingLoop } from './endless-loops.ts'
import { expandText, expandWord } from './expand.ts'
import { applyRedirects, reportWrites } from './redirects.ts'
import type { Scope } from './scope.ts'
import { runSimpleCommand } from './simple-command.ts'
import { emptyStream, type Stream } from './streams.ts'

const mostRounds = 64

/** Walks a script as a shell would, running nothing, and returns what is known of its output. */
export function walkScript(nodes: readonly ShellNode[], analysis: Analysis, scope: Scope, frame: Frame): Stream {
  let written = emptyStream
  for (const node of nodes) written = joinOutputs(written, walkNode(node, analysis, scope, frame))
  return written
}

function walkNode(node: ShellNode, analysis: Analysis, scope: Scope, frame: Frame): Stream {
  analysis.countSteps()
  switch (node.kind) {
    case 'simple':
      return runSimpleCommand(node, analysis, scope, frame)
    case 'list':
      return walkScript(node.items, analysis, scope, frame)
    case 'subshell':
      return walkScript(node.body, analysis, scope.copy(), frame)
    case 'pipeline': {
      let stream = scope.stdin
      // What a stage writes is shown if every later stage passes it on.
      const lastReader = node.stages.findLastIndex(stage => !passesInputOn(stage))
      for (const [i, stage] of node.stages.entries()) {
        const inner = scope.copy()
        inner.stdin = stream
        const shown = frame.shown && i >= lastReader
        stream = walkNode(stage, analysis, inner, shown === frame.shown ? frame : { ...frame, shown })
      }
      return stream
    }
    case 'choice': {
      for (const word of node.words) expandText(word, analysis, scope, frame)
      const conditions = walkScript(node.conditions, analysis, scope, frame)
      const scopes = node.branches.map(() => scope.copy())
      const outputs = node.branches.map((branch, i) => walkScript([branch], analysis, scopes[i] ?? scope, frame))
      scope.mergeBranches(scopes)
      const from = outputs.reduce((bits, output) => bits | output.from, conditions.from)
      return { text: null, from, pathPattern: null }
    }
    case 'loop':
      reportExhaustingLoop(node, frame, analysis)
      return walkLoop(node, analysis, scope, frame)
    case 'function':
      scope.functions.set(node.name, node.body)
      // The shell calls some functions itself.
      if (calledByShell.test(node.name)) walkScript(node.body, analysis, scope.copy(), frame)
      return emptyStream
    case 'redirected': {
      const { stdin, writes } = applyRedirects(node.redirects, analysis, scope, frame)
      const inner = stdin ? scope.copy() : scope
      if (stdin) inner.stdin = stdin
      const isTaken = writes.some(({ takesOutput }) => takesOutput)
      const written = walkNode(node.body, analysis, inner, isTaken ? { ...frame, shown: false } : frame)
      reportWrites(writes, written, analysis, scope, frame)
      return isTaken ? emptyStream : written
    }
    case 'test':
      for (const word of node.words) expandText(word, analysis, scope, frame)
      return emptyStream
  }
}

const calledByShell =
  /^(command_not_found_handler?|fish_command_not_found|fish_(right_)?prompt|precmd|preexec|chpwd|periodic|zshexit|TRAP[A-Z]+\d?)$/

const passingPrograms = new Set(
  list('cat bat less more head tail tac nl xxd od hexdump base64 tr fold column rev tee sort'),
)

/** Whether a stage passes its whole input on. */
function passesInputOn(node: ShellNode): boolean {
  if (node.kind !== 'simple') return false
  if (node.redirects.some(({ kind, descriptor }) => kind === 'text' || descriptor !== 2)) return false
  const [first] = node.words
  const [part] = first?.kind === 'word' ? first.parts : []
  return part?.kind === 'text' && passingPrograms.has(part.text)
}

/** Walks the body once for every word; if there are too many or none, once more with an unknown value. */
function walkLoop(node: ShellNode & { kind: 'loop' }, analysis: Analysis, scope: Scope, frame: Frame): Stream {
  const { variable, words, body } = node
  if (variable === null) {
    for (const word of words) expandText(word, analysis, scope, frame)
    return walkScript(body, analysis, scope, frame)
  }
  const values = words.flatMap(word => expandWord(word, analysis, scope, frame))
  let written = emptyStream
  for (const { value, from, glob } of values.slice(0, mostRounds)) {
    scope.set(variable, { text: value, from, glob, list: null })
    written = joinOutputs(written, walkScript(body, analysis, scope, frame))
  }
  if (values.length === 0 || values.length > mostRounds) {
    scope.set(variable, { text: '\0', from: 0, glob: false, list: null })
    written = joinOutputs(written, walkScript(body, analysis, scope, frame))
  }
  return written
}

function joinOutputs(first: Stream, second: Stream): Stream {
  if (second === emptyStream) return first
  if (first === emptyStream) return second
  const text = first.text === null || second.text === null ? null : first.text + second.text
  return { text, from: first.from | second.from, pathPattern: first.pathPattern ?? second.pathPattern }
}
