import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, isStdin, literal, origins } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import { type Stream, unknownStream } from '../interpret/streams.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import { runCodeFile, runModule } from '../look/code-files.ts'
import type { ProgramCall } from '../program-call.ts'
import { readCode } from './read-code.ts'
import type { Language } from './skeleton.ts'

interface Interpreter {
  language: Language
  /** Options whose value is code. */
  code: readonly string[]
  /** Options whose value is not code. */
  values?: readonly string[]
  /** Options after which stdin is data, not code: `python -m json.tool`. */
  data?: readonly string[]
  /** A subcommand whose operand is code: `deno eval`. */
  sub?: string
}

const python: Interpreter = { language: 'python', code: ['-c'], values: ['-W', '-X', '-Q', '-m'], data: ['-m'] }
const node: Interpreter = {
  language: 'javascript',
  code: ['-e', '--eval', '-p', '--print', '-pe'],
  values: ['-r', '--require', '--import', '--loader', '-C', '--conditions', '--env-file', '--input-type'],
}
const interpreters: Readonly<Record<string, Interpreter>> = {
  python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  ipython: python,
  node,
  nodejs: node,
  tsx: node,
  'ts-node': node,
  bun: node,
  deno: { ...node, sub: 'eval' },
  ruby: { language: 'ruby', code: ['-e'], values: ['-r', '-I', '-C'] },
  irb: { language: 'ruby', code: ['-e'] },
  perl: { language: 'perl', code: ['-e', '-E'], values: ['-I', '-M', '-m'] },
  php: { language: 'php', code: ['-r', '-R', '-B', '-E'], values: ['-d', '-c', '-f', '-S', '-t'] },
  lua: { language: 'lua', code: ['-e'], values: ['-l'] },
  luajit: { language: 'lua', code: ['-e'], values: ['-l'] },
  osascript: { language: 'applescript', code: ['-e'], values: ['-l'] },
  rscript: { language: 'r', code: ['-e'] },
  awk: { language: 'awk', code: [] },
  gawk: { language: 'awk', code: [] },
  mawk: { language: 'awk', code: [] },
  nawk: { language: 'awk', code: [] },
}

/** Reads code in other languages (`python -c`, `node -e`) from an argument, from stdin or from a file just written. */
export function runInterpreter(call: ProgramCall, analysis: Analysis): Stream | null {
  const name = call.program.replace(/^((?:python|pypy|ruby|perl|php|lua))[\d.]+$/, '$1')
  const spec = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
  if (!spec) return null
  const { codes, file, isData } = argumentsOf(call, spec)
  const frame = { ...call.frame, via: [...call.frame.via, call.program] }
  for (const code of codes) {
    if (code.from & origins.network) reportRemoteCode(code, frame, analysis)
    readCode(spec.language, code, frame, analysis)
  }
  if (isData) runModule(call, analysis)
  if (codes.length > 0 || isData || spec.language === 'awk') {
    return { text: null, from: call.stdin.from, pathPattern: null }
  }
  const stream = file && !isStdin(file) ? fileStream(file, call.frame.scope) : call.stdin
  if (stream.file) runCodeFile(spec.language, literal(stream.file, (file ?? call.frame).span), call, analysis)
  if (stream.from & origins.network) reportRemoteCode(file ?? literal('', call.frame.span), frame, analysis)
  if (stream.text) readCode(spec.language, literal(stream.text, file?.span ?? call.frame.span), frame, analysis)
  return unknownStream
}

export function isInterpreter(program: string): boolean {
  return Object.hasOwn(interpreters, program)
}

interface CodeArguments {
  codes: Argument[]
  file: Argument | null
  isData: boolean
}

/** The code option may end a cluster: `-ne`, `-lpe`, `-i.bak -pe`. */
function argumentsOf(
  { args }: ProgramCall,
  { language, code, values = [], data = [], sub }: Interpreter,
): CodeArguments {
  if (language === 'awk') return awkArguments(args)
  const codes: Argument[] = []
  let isData = false
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]
    if (!arg) break
    const { value } = arg
    const at = value.indexOf('=')
    const name = value.startsWith('--') && at > 0 ? value.slice(0, at) : value
    const isCluster = /^-[a-zA-Z0-9]{2,}$/.test(value) && !value.startsWith('--') && code.includes(`-${value.at(-1)}`)
    const glued = /^-[a-zA-Z]./.test(value) && !isCluster && code.includes(value.slice(0, 2)) && !code.includes(value)
    if (code.includes(name) || isCluster) {
      const given = name === value ? args[++i] : { ...arg, value: value.slice(at + 1) }
      if (given) codes.push(given)
    } else if (glued && value.length > 2) codes.push({ ...arg, value: value.slice(2) })
    else if (values.includes(name)) {
      isData ||= data.includes(name)
      if (name === value) i += 1
      if (isData) break
    } else if (sub !== undefined && value === sub) {
      const given = args[i + 1]
      if (given) codes.push(given)
      break
    } else if (value === '-' || !value.startsWith('-')) return { codes, file: codes.length > 0 ? null : arg, isData }
  }
  return { codes, file: null, isData }
}

function awkArguments(args: readonly Argument[]): CodeArguments {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]
    if (!arg) break
    if (/^-[FvfW]$/.test(arg.value)) i += 1
    else if (!arg.value.startsWith('-')) return { codes: [arg], file: null, isData: true }
  }
  return { codes: [], file: null, isData: true }
}
