import { runScript } from '../look/run-script.ts'
import type { ProgramCall } from '../program-call.ts'
import { reportForeignCode } from '../wrappers/foreign-code.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, isStdin, literal, origins, texts } from './arguments.ts'
import { fileStream } from './files.ts'
import { isShell } from './is-shell.ts'
import { emptyStream, type Stream, unknownStream } from './streams.ts'
import { reportDynamicCode, reportRemoteCode } from './unseen-code.ts'

/** Runs sh -c CODE, sh FILE, or a script on stdin. */
export function runShell(call: ProgramCall, analysis: Analysis): Stream | null {
  if (call.program === 'at' || call.program === 'batch') {
    return call.stdin.text
      ? runCode(call.stdin.text, call.stdin.from, literal('', call.frame.span), call.frame, analysis)
      : null
  }
  if (!isShell(call.program)) return null
  const { code, script, rest } = readArgs(call.args)
  const scope = call.frame.scope.copy()
  for (const [name, value] of call.frame.env) scope.set(name, value)
  const frame: Frame = { ...call.frame, scope, via: [...call.frame.via, code ? `${call.program} -c` : call.program] }
  if (code) {
    scope.positional = rest.slice(1)
    scope.scriptName = rest[0] ?? null
    scope.stdin = call.stdin
    return runCode(code.value, code.from, code, frame, analysis)
  }
  scope.positional = rest
  if (script && !isStdin(script)) {
    const stream = fileStream(script, scope)
    // `bash -n` reads a script and runs nothing.
    if (frame.isEscape && stream.file) reportForeignCode(script.value, script.span, frame, analysis)
    const isRun = !call.args.some(({ value }) => /^-[a-z]*n[a-z]*$/.test(value))
    const looked = stream.file && isRun ? runScript(script, { args: rest, language: 'shell' }, frame, analysis) : null
    return looked ?? runStream(stream, script, frame, analysis, true)
  }
  const span = call.frame.span
  if (call.stdin === emptyStream || call.stdin.isTerminal) return unknownStream
  // `… | sh -i | nc …`: someone else types.
  if (call.args.some(({ value }) => /^-[a-z]*i[a-z]*$/.test(value))) reportDynamicCode({ span }, frame, analysis)
  // The script itself is stdin, so the programs that it starts find nothing there.
  scope.stdin = unknownStream
  const inner = { ...frame, stdin: unknownStream }
  const { file } = call.stdin
  const looked = file ? runScript(literal(file, span), { args: rest, language: 'shell' }, inner, analysis) : null
  return looked ?? runStream(call.stdin, literal('', span), inner, analysis, false)
}

/** Runs a stream as shell code: `source FILE`, `. FILE`, `sh FILE`. */
export function runStream(stream: Stream, at: Argument, frame: Frame, analysis: Analysis, isFile: boolean): Stream {
  if (stream.from & origins.network) reportRemoteCode(at, frame, analysis)
  if (stream.text !== null) return runCode(stream.text, stream.from, at, frame, analysis)
  // An existing script is as opaque as any program; generated code is worth asking about.
  const isGenerated = !isFile || at.value.startsWith('/dev/fd/')
  if (isGenerated && !stream.file && !(stream.from & origins.network)) reportDynamicCode(at, frame, analysis)
  return unknownStream
}

export function runCode(text: string, from: number, at: Argument, frame: Frame, analysis: Analysis): Stream {
  if (from & origins.network) reportRemoteCode(at, frame, analysis)
  if (/^\0+$/.test(text.trim())) {
    if (!(from & origins.network)) reportDynamicCode(at, frame, analysis)
    return unknownStream
  }
  const { scope } = frame
  const before = scope.unknownFrom
  scope.unknownFrom |= from & ~origins.network
  const written = analysis.runShellCode(text, at.span[0] === at.span[1] ? frame.span : at.span, frame)
  scope.unknownFrom = before
  return written
}

interface ShellArgs {
  code: Argument | null
  script: Argument | null
  rest: readonly Argument[]
}

function readArgs(args: readonly Argument[]): ShellArgs {
  let isCode = false
  let i = 0
  for (; i < args.length; i += 1) {
    const value = args[i]?.value ?? ''
    if (value === '--' || value === '-') {
      i += 1
      break
    }
    if (/^(--rcfile|--init-file|[-+][a-z]*[oO])$/.test(value)) i += 1
    else if (/^--/.test(value)) isCode ||= value === '--command'
    else if (/^[-+]./.test(value)) isCode ||= /^-[a-zA-Z]*c/.test(value)
    else break
  }
  const rest = args.slice(i + 1)
  const first = args[i] ?? null
  if (isCode) return { code: first, script: null, rest }
  return texts(args.slice(0, i)).some(value => /^-[a-z]*s/.test(value))
    ? { code: null, script: null, rest: args.slice(i) }
    : { code: null, script: first, rest }
}
