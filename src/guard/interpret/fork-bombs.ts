import type { ShellNode, Word } from '../shell/syntax-tree.ts'
import type { Analysis, Frame, RunningBody } from './analysis.ts'

/**
 * Reports functions that call each other in a circle, each call starting a process, with nothing that ends it:
 * `f() { f | f & }`, `f() { g & }; g() { f & f; }`. A call behind a condition, or after one that may return, is not counted.
 */
export function reportForkBomb(circle: readonly RunningBody[], frame: Frame, analysis: Analysis): void {
  const names = new Set(circle.map(({ name }) => name))
  let multiplies = false
  let forks = false
  for (const { body } of circle) {
    const found = countCalls(body, names, analysis)
    if (found.calls === 0) return
    multiplies ||= found.calls > 1
    forks ||= found.forks > 0
  }
  if (!forks) return
  analysis.report({
    rule: 'system/fork-bomb',
    message: 'starts copies of itself until the machine stops responding',
    span: frame.span,
    verdict: multiplies ? 'deny' : 'ask',
    severity: 'critical',
    safer: null,
  })
}

/** Calls that are sure to happen, and how many of them start a process. */
interface Calls {
  calls: number
  forks: number
}

function countCalls(body: readonly ShellNode[], names: ReadonlySet<string>, analysis: Analysis): Calls {
  const found: Calls = { calls: 0, forks: 0 }
  visitAll(body, false)
  return found

  /** Returns whether what follows may not run, because something before it may have returned. */
  function visitAll(nodes: readonly ShellNode[], isForked: boolean): boolean {
    return nodes.some(node => visit(node, isForked || node.background === true))
  }

  function visit(node: ShellNode, isForked: boolean): boolean {
    analysis.countSteps()
    switch (node.kind) {
      case 'simple': {
        const [first, second] = node.words
        const name = first?.kind === 'word' ? textOf(first) : ''
        const called = starters.has(name) && second?.kind === 'word' ? textOf(second) : name
        if (names.has(called) || (called === '$0' && names.has('$0'))) count(isForked)
        for (const word of node.words) if (word.kind === 'word') visitSubstitutions(word)
        for (const { value } of node.assignments) for (const word of [value].flat()) visitSubstitutions(word)
        return /^(return|exit|break)$/.test(name)
      }
      case 'list':
        if (!node.conditional) return visitAll(node.items, isForked)
        return visitAll(node.items.slice(0, 1), isForked) || node.items.some(mayEnd)
      case 'subshell':
        visitAll(node.body, true)
        return false
      case 'pipeline':
        visitAll(node.stages, true)
        return false
      case 'redirected':
        return visit(node.body, isForked)
      case 'choice':
        return visitAll(node.conditions, isForked) || node.branches.some(mayEnd)
      case 'loop': {
        const repeats = node.endless ?? (node.variable !== null && node.words.length > 0 && node.words.every(isLiteral))
        if (!repeats) return false
        const before = { ...found }
        const ends = visitAll(node.body, isForked)
        found.calls += found.calls - before.calls
        return ends
      }
      default:
        return false
    }
  }

  function visitSubstitutions(word: Word): void {
    for (const part of word.parts)
      if (part.kind === 'output' || part.kind === 'process') visitAll(part.script.body, true)
  }

  function count(isForked: boolean): void {
    found.calls += 1
    if (isForked) found.forks += 1
  }
}

const starters = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'exec',
  'nohup',
  'setsid',
  'command',
  'env',
  'time',
  'source',
  '.',
])

function mayEnd(node: ShellNode): boolean {
  switch (node.kind) {
    case 'simple': {
      const [first] = node.words
      return first?.kind === 'word' && /^(return|exit|break)$/.test(textOf(first))
    }
    case 'list':
      return node.items.some(mayEnd)
    case 'choice':
      return node.branches.some(mayEnd)
    case 'redirected':
      return mayEnd(node.body)
    default:
      return false
  }
}

function textOf({ parts }: Word): string {
  return parts
    .map(part => (part.kind === 'text' ? part.text : part.kind === 'parameter' && part.name === '0' ? '$0' : '\0'))
    .join('')
}

function isLiteral({ parts }: Word): boolean {
  return parts.every(part => part.kind === 'text' || part.kind === 'braces')
}
