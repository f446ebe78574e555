import type { Part, Redirect, ShellNode, Word } from '../shell/syntax-tree.ts'
import type { Analysis, Frame } from './analysis.ts'

/**
 * Reports a loop that never ends and never waits, if each round takes more of the machine: it starts a program in the
 * background, writes to a file, or doubles a variable.
 */
export function reportExhaustingLoop(node: ShellNode & { kind: 'loop' }, frame: Frame, analysis: Analysis): void {
  if (!node.endless && !isLong(node)) return
  let takes = false
  let ends = false
  visitAll(node.body)
  if (!takes || ends) return
  analysis.report({
    rule: 'system/exhaustion',
    message: 'uses up processes, memory or disk space without end',
    span: node.span[0] === node.span[1] ? frame.span : node.span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })

  function visitAll(nodes: readonly ShellNode[]): void {
    for (const one of nodes) visit(one)
  }

  function visit(one: ShellNode): void {
    analysis.countSteps()
    // What runs in the background delays nothing.
    if (one.background) {
      takes = true
      return
    }
    switch (one.kind) {
      case 'simple': {
        const [first] = one.words
        const name = first?.kind === 'word' ? plainText(first) : ''
        ends ||= waits.test(name)
        takes ||= grows.test(name) || one.redirects.some(writesFile)
        takes ||= one.assignments.some(({ name: variable, value, append }) => {
          const uses =
            'kind' in value ? value.parts.filter(part => part.kind === 'parameter' && part.name === variable) : []
          return uses.length > (append ? 0 : 1)
        })
        return
      }
      case 'list':
        visitAll(one.items)
        return
      case 'subshell':
      case 'loop':
        visitAll(one.body)
        return
      case 'pipeline':
        visitAll(one.stages)
        return
      case 'choice':
        visitAll([...one.conditions, ...one.branches])
        return
      case 'redirected':
        takes ||= one.redirects.some(writesFile)
        visit(one.body)
        return
      default:
    }
  }
}

/** A loop of hundreds of rounds: `for i in {1..9999}`, `for i in $(seq 9999)`. Only what it starts in the background counts. */
function isLong({ words, body }: ShellNode & { kind: 'loop' }): boolean {
  return body.some(one => hasBackground(one)) && words.some(({ parts }) => parts.some(isLongPart))
}

function hasBackground(node: ShellNode): boolean {
  return node.background === true || (node.kind === 'list' && node.items.some(hasBackground))
}

function isLongPart(part: Part): boolean {
  if (part.kind === 'braces') return part.alternatives.length >= manyRounds
  if (part.kind !== 'output') return false
  const [only] = part.script.body
  const words = only?.kind === 'simple' ? only.words.map(word => (word.kind === 'word' ? plainText(word) : '')) : []
  return words[0] === 'seq' && Number(words.at(-1)) >= manyRounds
}

/** As many as braces are expanded to. */
const manyRounds = 256

const waits =
  /^(break|exit|return|sleep|usleep|wait|read|select|inotifywait|fswatch|entr|nc|ncat|socat|tail|ssh|kill|timeout|exec)$/
const grows = /^(mkdir|touch|mktemp|cp|dd|fallocate|truncate|tee|mkfifo|ln)$/

function writesFile(redirect: Redirect): boolean {
  return (
    redirect.kind === 'file' &&
    redirect.operator.includes('>') &&
    redirect.target !== null &&
    !/^(\/dev\/|\d+$|-$)/.test(plainText(redirect.target))
  )
}

function plainText({ parts }: Word): string {
  return parts.map(part => (part.kind === 'text' ? part.text : '\0')).join('')
}
