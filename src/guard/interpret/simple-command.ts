import type { Assignment, SimpleCommand } from '../shell/syntax-tree.ts'
import type { Frame, Reading } from './analysis.ts'
import { type Arg, empty, type Stream } from './arguments.ts'
import { expandText, expandWord } from './expand.ts'
import { applyRedirects, reportWrites } from './redirects.ts'
import type { Scope, Value } from './scope.ts'

const none: ReadonlyMap<string, Value> = new Map()

/** Assignments, words and redirects become one program that is started. */
export function runSimple(node: SimpleCommand, reading: Reading, scope: Scope, outer: Frame): Stream {
  const argv = expandWords(node, reading, scope, outer)
  const { stdin, writes } = applyRedirects(node.redirects, reading, scope, outer)
  const input = stdin ?? scope.stdin
  const env = argv.length === 0 ? none : environment(node.assignments, reading, scope, outer)
  if (argv.length === 0) for (const assignment of node.assignments) assign(assignment, reading, scope, outer)

  const shown = outer.shown && writes.length === 0
  const frame: Frame = { ...outer, scope, stdin: input, env, span: node.span, shown }
  // `> file` alone empties it; `$(< file)` is what is in it.
  const written = argv.length > 0 ? reading.run(argv, frame) : (stdin ?? empty)
  if (writes.length === 0) return written
  reportWrites(writes, written, reading, scope, frame)
  return empty
}

/** `export X=1` keeps its assignments as words: the program decides what they are. */
function expandWords(node: SimpleCommand, reading: Reading, scope: Scope, frame: Frame): Arg[] {
  const argv: Arg[] = []
  for (const word of node.words) {
    if (word.kind === 'word') {
      for (const arg of expandWord(word, reading, scope, frame)) argv.push(arg)
      continue
    }
    const { text, from, glob, list } = assigned(word, reading, scope, frame)
    const value = `${word.name}${word.append ? '+' : ''}=${list ? list.map(arg => arg.value).join(' ') : text}`
    argv.push({ value, glob, quoted: true, from, span: word.span })
  }
  return argv
}

function environment(
  assignments: readonly Assignment[],
  reading: Reading,
  scope: Scope,
  frame: Frame,
): ReadonlyMap<string, Value> {
  if (assignments.length === 0) return none
  return new Map(assignments.map(assignment => [assignment.name, assigned(assignment, reading, scope, frame)]))
}

function assign(assignment: Assignment, reading: Reading, scope: Scope, frame: Frame): void {
  const value = assigned(assignment, reading, scope, frame)
  const before = scope.variables.get(assignment.name)
  if (assignment.indexed) {
    // a[3]=x: which element is which is not followed; that one of them is x, is.
    scope.set(assignment.name, { ...value, list: [...(before?.list ?? []), toArg(value, assignment)].slice(0, 64) })
  } else if (assignment.append && before) {
    const list = before.list && value.list ? [...before.list, ...value.list].slice(0, 512) : null
    reading.grow(before.text.length + value.text.length)
    scope.set(assignment.name, { ...value, text: before.text + value.text, from: before.from | value.from, list })
  } else scope.set(assignment.name, value)
}

function assigned({ value }: Assignment, reading: Reading, scope: Scope, frame: Frame): Value {
  if ('kind' in value) {
    const { value: text, from, glob } = expandText(value, reading, scope, frame)
    return { text, from, glob, list: null }
  }
  const list = value.flatMap(word => expandWord(word, reading, scope, frame))
  return { text: list[0]?.value ?? '', from: list.reduce((bits, arg) => bits | arg.from, 0), glob: false, list }
}

function toArg({ text, from, glob }: Value, { span }: Assignment): Arg {
  return { value: text, from, glob, quoted: true, span }
}
