import type { Call } from '../program-call.ts'
import { list } from '../word-list.ts'
import type { Frame, Reading } from './analysis.ts'
import { type Arg, empty, isStdin, literal, origins, type Stream, texts, unknown } from './arguments.ts'
import { fileStream } from './files.ts'
import { reportDynamicCode, reportNetworkCode } from './unseen-code.ts'

const shells = new Set(list('sh bash zsh dash ksh mksh ash fish rbash tcsh csh yash'))

export function isShell(program: string): boolean {
  return shells.has(program)
}

/** sh -c CODE, sh FILE, or a script on its stdin. */
export function runShell(call: Call, reading: Reading): Stream | null {
  if (call.program === 'at' || call.program === 'batch') {
    return call.stdin.text
      ? runCode(call.stdin.text, call.stdin.from, literal('', call.frame.span), call.frame, reading)
      : null
  }
  if (!shells.has(call.program)) return null
  const { code, script, rest } = readArgs(call.args)
  const scope = call.frame.scope.copy()
  for (const [name, value] of call.frame.env) scope.set(name, value)
  const frame: Frame = { ...call.frame, scope, via: [...call.frame.via, code ? `${call.program} -c` : call.program] }
  if (code) {
    scope.positional = rest.slice(1)
    scope.zero = rest[0] ?? null
    scope.stdin = call.stdin
    return runCode(code.value, code.from, code, frame, reading)
  }
  scope.positional = rest
  if (script && !isStdin(script)) {
    return runStream(fileStream(script, scope), script, frame, reading, true)
  }
  const span = call.frame.span
  if (call.stdin === empty) return unknown
  // `… | sh -i | nc …`: somebody else types.
  if (call.args.some(({ value }) => /^-[a-z]*i[a-z]*$/.test(value))) reportDynamicCode({ span }, frame, reading)
  // The script itself was the stdin: what it starts finds nothing there.
  scope.stdin = unknown
  return runStream(call.stdin, literal('', span), { ...frame, stdin: unknown }, reading, false)
}

/** `source FILE`, `. FILE` and everything else that runs a file as shell code. */
export function runStream(stream: Stream, at: Arg, frame: Frame, reading: Reading, isFile: boolean): Stream {
  if (stream.from & origins.network) reportNetworkCode(at, frame, reading)
  if (stream.text !== null) return runCode(stream.text, stream.from, at, frame, reading)
  // A script that lies there is as unseen as any program; one that is made up on the way is not.
  if (!isFile && !stream.file && stream.from === 0) reportDynamicCode(at, frame, reading)
  return unknown
}

export function runCode(text: string, from: number, at: Arg, frame: Frame, reading: Reading): Stream {
  if (from & origins.network) reportNetworkCode(at, frame, reading)
  if (/^\0+$/.test(text.trim())) {
    if (!(from & origins.network)) reportDynamicCode(at, frame, reading)
    return unknown
  }
  return reading.code(text, at.span[0] === at.span[1] ? frame.span : at.span, frame)
}

interface ShellArgs {
  code: Arg | null
  script: Arg | null
  rest: readonly Arg[]
}

function readArgs(args: readonly Arg[]): ShellArgs {
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
