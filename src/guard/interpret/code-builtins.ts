import type { ProgramCall } from '../program-call.ts'
import { reportForeignCode } from '../wrappers/foreign-code.ts'
import type { Analysis } from './analysis.ts'
import { type Argument, literal } from './arguments.ts'
import { evaluateArithmetic, hasSubstitution, runPrompt } from './evaluated-text.ts'
import { runCode } from './shells.ts'
import { unknownStream } from './streams.ts'
import { reportDynamicCode } from './unseen-code.ts'

/** Runs what builtins of the shell evaluate, though it looks like a name, a number or a list of words. */
export function runEvaluatedArguments(call: ProgramCall, analysis: Analysis): void {
  if (Object.hasOwn(builtins, call.program)) builtins[call.program]?.(call, analysis)
}

type Builtin = (call: ProgramCall, analysis: Analysis) => void

const builtins: Readonly<Record<string, Builtin>> = {
  let: (call, analysis) => {
    for (const arg of call.args) evaluate(arg, call, analysis)
  },
  declare,
  typeset: declare,
  local: declare,
  export: declare,
  readonly: declare,
  read: subscripts,
  unset: subscripts,
  getopts: subscripts,
  wait: subscripts,
  printf: (call, analysis) => {
    for (const name of valuesOf(call, 'v')) runSubscript(name, call, analysis)
  },
  test: numbers,
  '[': numbers,
  mapfile,
  readarray: mapfile,
  compgen: complete,
  complete,
  bind: (call, analysis) => {
    for (const { value, ...key } of call.args) {
      // `bind -x '"\C-l": command'`, and a macro that ends in a newline.
      const bound = /^\s*"[^"]*"\s*:\s*"?(.*)$/s.exec(value.trim().replace(/"$/, ''))?.[1]
      if (bound === undefined || (!call.args.some(arg => arg.value === '-x') && !/\\[nrC]/.test(bound))) continue
      run({ ...key, value: bound.replace(/\\(n|r|C-m|C-j)/g, '\n') }, call, analysis)
    }
  },
  hash: (call, analysis) => {
    const { args, frame } = call
    const at = args.findIndex(({ value }) => value === '-p')
    const [path, ...names] = at < 0 ? [] : args.slice(at + 1)
    if (!path) return
    for (const name of names) frame.scope.aliases.set(name.value, path.value)
    reportForeignCode(path.value, path.span, frame, analysis)
  },
  fc: (call, analysis) => {
    // It runs a command of the history again, which nobody can see.
    const lists = call.args.some(({ value }) => /^-[a-z]*l/.test(value))
    if (!lists) reportDynamicCode({ span: call.frame.span }, call.frame, analysis)
  },
}

function declare(call: ProgramCall, analysis: Analysis): void {
  const flags = call.args.flatMap(({ value }) => (/^[-+][a-zA-Z]+$/.test(value) ? [value] : [])).join('')
  for (const arg of call.args) {
    if (/^[-+]/.test(arg.value)) continue
    const at = arg.value.indexOf('=')
    const name = at < 0 ? arg.value : arg.value.slice(0, at)
    runSubscript({ ...arg, value: name }, call, analysis)
    if (flags.includes('i')) evaluate({ ...arg, value: at < 0 ? '' : arg.value.slice(at + 1) }, call, analysis)
    // An exported function may replace a program in any script that starts later.
    if (flags.includes('f') && call.program === 'export') analysis.runProgram([arg], innerFrame(call))
  }
}

function subscripts(call: ProgramCall, analysis: Analysis): void {
  for (const arg of call.args) runSubscript(arg, call, analysis)
}

function numbers(call: ProgramCall, analysis: Analysis): void {
  call.args.forEach((arg, i) => {
    const [before, after] = [call.args[i - 1]?.value ?? '', call.args[i + 1]?.value ?? '']
    if (/^-([vR]|eq|ne|lt|le|gt|ge)$/.test(before) || /^-(eq|ne|lt|le|gt|ge)$/.test(after))
      runSubscript(arg, call, analysis)
  })
}

function mapfile(call: ProgramCall, analysis: Analysis): void {
  subscripts(call, analysis)
  for (const code of valuesOf(call, 'C')) run({ ...code, value: `${code.value} 0 line` }, call, analysis)
}

function complete(call: ProgramCall, analysis: Analysis): void {
  for (const code of valuesOf(call, 'C')) run(code, call, analysis)
  for (const words of valuesOf(call, 'W'))
    runPrompt({ text: words.value, span: words.span }, analysis, innerFrame(call))
  if (call.program === 'compgen') for (const name of valuesOf(call, 'F')) run(name, call, analysis)
}

function runSubscript({ value, span }: Argument, call: ProgramCall, analysis: Analysis): void {
  if (value.includes('[') && hasSubstitution(value)) runPrompt({ text: value, span }, analysis, innerFrame(call))
}

function evaluate({ value, span }: Argument, { frame }: ProgramCall, analysis: Analysis): void {
  evaluateArithmetic({ text: value, span }, analysis, frame.scope, frame)
}

function run(code: Argument, call: ProgramCall, analysis: Analysis): void {
  runCode(code.value, code.from, code, innerFrame(call), analysis)
}

function innerFrame({ frame, program }: ProgramCall) {
  const scope = frame.scope.copy()
  scope.stdin = unknownStream
  return { ...frame, scope, via: [...frame.via, program] }
}

/** The values of a short option: `-C code`, `-Ccode`. */
function valuesOf({ args }: ProgramCall, letter: string): Argument[] {
  return args.flatMap((arg, i) => {
    if (args[i - 1]?.value === `-${letter}`) return [arg]
    const isGlued = arg.value.startsWith(`-${letter}`) && arg.value.length > 2
    return isGlued ? [literal(arg.value.slice(2), arg.span)] : []
  })
}
