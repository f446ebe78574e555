import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, isStdin, literal, origins } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import { type Stream, unknownStream } from '../interpret/streams.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import { runCodeFile, runModule } from '../look/code-files.ts'
import type { ProgramCall } from '../program-call.ts'
import { reportForeignCode } from '../wrappers/foreign-code.ts'
import { readCodeInOptions } from './code-in-options.ts'
import { type Interpreter, interpreters } from './interpreter-table.ts'
import { readCode } from './read-code.ts'

/** Reads code in other languages (`python -c`, `node -e`) from an argument, from stdin or from a file just written. */
export function runInterpreter(call: ProgramCall, analysis: Analysis): Stream | null {
  const spec = interpreterOf(call.program)
  if (!spec) return null
  readCodeInOptions(spec.language, call.args, call.frame, analysis)
  const found = argumentsOf(call, spec)
  if (!found) return null
  const { codes, files, isData } = found
  const frame = {
    ...call.frame,
    via: [...call.frame.via, call.program],
    ...(spec.language === 'awk' ? { isEscape: true } : {}),
  }
  for (const code of codes) {
    if (code.from & origins.network) reportRemoteCode(code, frame, analysis)
    readCode(spec.language, code, frame, analysis)
  }
  if (isData) runModule(call, analysis)
  if (codes.length > 0 || isData || spec.language === 'awk') {
    return { text: null, from: call.stdin.from, pathPattern: null }
  }
  for (const file of files) readFile(file)
  if (spec.project !== undefined) readProject(spec.project)
  else if (files.length === 0 && !spec.compiles) readStream(call.stdin, literal('', call.frame.span))
  return spec.compiles ? null : unknownStream

  function readFile(file: Argument): void {
    if (/^(?:https?|ftp):\/\//.test(file.value)) reportRemoteCode(file, frame, analysis)
    else if (isUnseen(file)) reportForeignCode(file.value, file.span, frame, analysis)
    else readStream(isStdin(file) ? call.stdin : fileStream(file, call.frame.scope), file)
  }

  /** A script that some other program is made to run, and that this command did not write. */
  function isUnseen(file: Argument): boolean {
    return frame.isEscape === true && !spec?.compiles && fileStream(file, frame.scope).file !== undefined
  }

  /** The files of a project that this command wrote. */
  function readProject(ending: string): void {
    for (const [name, stream] of call.frame.scope.files)
      if (name.endsWith(ending)) readStream(stream, literal('', call.frame.span))
  }

  function readStream(stream: Stream, at: Argument): void {
    if (!spec) return
    if (stream.from & origins.network && !spec.compiles) reportRemoteCode(at, frame, analysis)
    if (stream.file) runCodeFile(spec.language, literal(stream.file, at.span), call, analysis)
    if (stream.text) readCode(spec.language, literal(stream.text, at.span), frame, analysis)
  }
}

export function isInterpreter(program: string): boolean {
  return Object.hasOwn(interpreters, program)
}

export function interpreterOf(program: string): Interpreter | undefined {
  if (Object.hasOwn(interpreters, program)) return interpreters[program]
  if (!/\d$/.test(program)) return undefined
  const name = program.replace(
    /^(python|pypy|ruby|perl|php|lua|gcc|g\+\+|clang|ghc|julia|node|guile|tclsh|octave)-?[\d.]+$/,
    '$1',
  )
  return Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
}

interface CodeArguments {
  codes: Argument[]
  files: Argument[]
  isData: boolean
}

/** Null if the call runs no code. The code option may end a cluster: `-ne`, `-lpe`, `-i.bak -pe`. */
function argumentsOf(call: ProgramCall, spec: Interpreter): CodeArguments | null {
  if (spec.language === 'awk') return awkArguments(call.args)
  const { code, values = [], data = [], evals = [], runs = [] } = spec
  const { args } = call
  const found: CodeArguments = { codes: [], files: [], isData: false }
  let isRun = !spec.onlySubcommands
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]
    if (!arg) break
    const { value } = arg
    const at = value.search(/[=:]/)
    const name = value.startsWith('--') && at > 0 ? value.slice(0, at) : value
    const isGluedValue = /^-[a-zA-Z]./.test(value) && values.includes(value.slice(0, 2)) && !code.includes(value)
    const isCluster =
      !isGluedValue && /^-[a-zA-Z0-9]{2,}$/.test(value) && !values.includes(value) && code.includes(`-${value.at(-1)}`)
    const isGlued = /^-[a-zA-Z]./.test(value) && !isCluster && code.includes(value.slice(0, 2)) && !code.includes(value)
    if (code.includes(name) || isCluster) {
      const given = name === value ? args[++i] : { ...arg, value: value.slice(at + 1) }
      if (given) found.codes.push(given)
    } else if (isGlued && !values.includes(value)) found.codes.push({ ...arg, value: value.slice(2) })
    else if (values.includes(name)) {
      found.isData ||= data.includes(name)
      const [module] = name === value ? args.slice(i + 1) : []
      if (name === value) i += 1
      if (found.isData)
        return { ...found, codes: module?.value === 'timeit' ? timedCode(args.slice(i + 1)) : found.codes }
    } else if (evals.includes(value)) {
      // `dotnet script eval CODE`, `deno eval -p CODE`
      const given = args.slice(i + 1).find(one => !one.value.startsWith('-'))
      if (given) found.codes.push(given)
      return found
    } else if (runs.includes(value)) isRun = true
    else if (value === '-' || !value.startsWith('-')) {
      if (!isRun) return found.codes.length > 0 ? found : null
      if (found.codes.length === 0) found.files.push(arg)
      if (!spec.compiles && !/\.(?:go|java|kt|scala|swift)$/.test(value)) return found
    }
  }
  return isRun || found.codes.length > 0 ? found : null
}

/** `python -m timeit -s SETUP STATEMENT…` */
function timedCode(args: readonly Argument[]): Argument[] {
  return args.filter(({ value }, i) => {
    const before = args[i - 1]?.value ?? ''
    return !value.startsWith('-') && !/^-[nrup]$|^--(?:number|repeat|unit)$/.test(before)
  })
}

function awkArguments(args: readonly Argument[]): CodeArguments {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]
    if (!arg) break
    if (/^-[FvfW]$/.test(arg.value)) i += 1
    else if (!arg.value.startsWith('-')) return { codes: [arg], files: [], isData: true }
  }
  return { codes: [], files: [], isData: true }
}
