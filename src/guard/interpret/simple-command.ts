import type { Assignment, SimpleCommand } from '../shell/syntax-tree.ts'
import { checkVariable } from '../wrappers/steering-variables.ts'
import type { Analysis, Frame } from './analysis.ts'
import type { Argument } from './arguments.ts'
import { evaluateArithmetic } from './evaluated-text.ts'
import { expandText, expandWord } from './expand.ts'
import { applyRedirects, reportWrites, type Write } from './redirects.ts'
import type { Scope, VariableValue } from './scope.ts'
import { emptyStream, type Stream } from './streams.ts'

const noVariables: ReadonlyMap<string, VariableValue> = new Map()

/** Expands assignments, words and redirects, then runs the program. */
export function runSimpleCommand(node: SimpleCommand, analysis: Analysis, scope: Scope, outer: Frame): Stream {
  const argv = expandWords(node, analysis, scope, outer)
  const { stdin, writes } = applyRedirects(node.redirects, analysis, scope, outer)
  const input = stdin ?? scope.stdin
  const env = argv.length === 0 ? noVariables : environmentOf(node.assignments, analysis, scope, outer)
  if (argv.length === 0) for (const assignment of node.assignments) assign(assignment, analysis, scope, outer)

  const isTaken = writes.some(({ takesOutput }) => takesOutput)
  const shown = outer.shown && !isTaken
  const frame: Frame = { ...outer, scope, stdin: input, env, span: node.span, shown }
  // `> file` alone empties the file; `$(< file)` reads it.
  const written = argv.length > 0 ? analysis.runProgram(argv, frame) : (stdin ?? emptyStream)
  if (writes.length === 0) return written
  reportWrites(writes, readsWhatItWrites(argv, written, writes) ? emptyStream : written, analysis, scope, frame)
  return isTaken ? emptyStream : written
}

/** `sort a > a`: the shell empties the file before the program can read it. */
function readsWhatItWrites(
  [program, ...args]: readonly Argument[],
  { file }: Stream,
  writes: readonly Write[],
): boolean {
  if (!program || /(^|\/)(echo|printf)$/.test(program.value)) return false
  return writes.some(
    ({ operator, target: { value } }) => operator === '>' && (file === value || args.some(arg => arg.value === value)),
  )
}

/** `export X=1` keeps its assignments as words, for the builtin to interpret. */
function expandWords(node: SimpleCommand, analysis: Analysis, scope: Scope, frame: Frame): Argument[] {
  const argv: Argument[] = []
  for (const word of node.words) {
    if (word.kind === 'word') {
      for (const arg of expandWord(word, analysis, scope, frame)) argv.push(arg)
      continue
    }
    const { text, from, glob, list } = assignedValue(word, analysis, scope, frame)
    const value = `${word.name}${word.append ? '+' : ''}=${list ? list.map(arg => arg.value).join(' ') : text}`
    argv.push({ value, glob, quoted: true, from, span: word.span })
  }
  return argv
}

function environmentOf(
  assignments: readonly Assignment[],
  analysis: Analysis,
  scope: Scope,
  frame: Frame,
): ReadonlyMap<string, VariableValue> {
  if (assignments.length === 0) return noVariables
  const env = new Map<string, VariableValue>()
  for (const assignment of assignments) {
    const value = assignedValue(assignment, analysis, scope, frame)
    env.set(assignment.name, value)
    checkVariable(assignment.name, value, assignment.span, { ...frame, scope }, analysis)
  }
  return env
}

function assign(assignment: Assignment, analysis: Analysis, scope: Scope, frame: Frame): void {
  const value = assignedValue(assignment, analysis, scope, frame)
  const before = scope.variables.get(assignment.name)
  checkVariable(assignment.name, value, assignment.span, { ...frame, scope }, analysis)
  if (before?.isInteger) {
    evaluateArithmetic({ text: value.text, span: assignment.span }, analysis, scope, frame)
    value.isInteger = true
  }
  if (assignment.index) {
    const { value: text, span } = expandText(assignment.index, analysis, scope, frame)
    evaluateArithmetic({ text, span }, analysis, scope, frame)
    // `BASH_ALIASES[ls]='rm -rf'` and `BASH_CMDS[ls]=/bin/rm` make ls another command.
    if (/^(BASH_ALIASES|BASH_CMDS|aliases)$/.test(assignment.name)) scope.aliases.set(text, value.text)
    // a[3]=x: the analysis remembers that some element is x, not which one.
    scope.set(assignment.name, { ...value, list: [...(before?.list ?? []), toArg(value, assignment)].slice(0, 64) })
  } else if (assignment.append && before) {
    const list = before.list && value.list ? [...before.list, ...value.list].slice(0, 512) : null
    analysis.countCharacters(before.text.length + value.text.length)
    scope.set(assignment.name, { ...value, text: before.text + value.text, from: before.from | value.from, list })
  } else scope.set(assignment.name, value)
}

function assignedValue({ value }: Assignment, analysis: Analysis, scope: Scope, frame: Frame): VariableValue {
  if ('kind' in value) {
    const { value: text, from, glob } = expandText(value, analysis, scope, frame)
    return { text, from, glob, list: null }
  }
  const list = value.flatMap(word => expandWord(word, analysis, scope, frame))
  return { text: list[0]?.value ?? '', from: list.reduce((bits, arg) => bits | arg.from, 0), glob: false, list }
}

function toArg({ text, from, glob }: VariableValue, { span }: Assignment): Argument {
  return { value: text, from, glob, quoted: true, span }
}
