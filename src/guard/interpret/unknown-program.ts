import { isInterpreter } from '../languages/interpreters.ts'
import type { ProgramCall } from '../program-call.ts'
import { hasRules } from '../rules/index.ts'
import { isWrapper } from '../wrappers/unwrap.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, isKnown, origins, unknownText } from './arguments.ts'
import { isShell } from './is-shell.ts'
import { programName } from './program-name.ts'
import { emptyStream, type Stream, unknownStream } from './streams.ts'

/** Analyzes a command whose program is unknown or empty. The rest may be a command itself: `$SUDO rm -rf /`. */
export function runUnknownProgram(head: Argument, args: readonly Argument[], frame: Frame, analysis: Analysis): Stream {
  if (head.value === '')
    return args.length > 0 ? analysis.runProgram(args, { ...frame, via: [...frame.via, '""'] }) : emptyStream
  // An assignment in PowerShell: $env:NAME = value.
  if (/^\0:\w+$/.test(head.value) && args[0]?.value === '=') return emptyStream
  // ./scripts/$name.sh is a script of the workspace, as opaque as any other.
  const folder = head.value.slice(0, head.value.lastIndexOf('/') + 1)
  if (folder !== '' && !folder.includes(unknownText) && !head.glob && !/^\/(usr\/)?(local\/)?s?bin\/$/.test(folder))
    return unknownStream
  analysis.report({
    rule: 'shell/dynamic-command',
    message:
      head.from & origins.network
        ? 'runs a program whose name comes from the network'
        : 'runs a program whose name is known only at run time',
    span: head.span,
    verdict: 'ask',
    severity: head.from & origins.network ? 'critical' : 'medium',
    safer: 'name the program in the command',
  })
  if (args.length > 0) analysis.runProgram(args, { ...frame, via: [...frame.via, '?'] })
  return unknownStream
}

/** Any program may start another: `mywrapper --quiet rm -rf /`. */
export function lookForNestedCommand(call: ProgramCall, analysis: Analysis): void {
  const { args, frame } = call
  let tries = 0
  reportLikeDelete(call, analysis)
  for (let i = 0; i < args.length && tries < 4; i += 1) {
    const arg = args[i]
    if (!arg || !isKnown(arg)) continue
    const name = programName(arg)
    const isCode =
      i > 0 && /^--?(c|e|exec|command|cmd|run|shell)$/.test(args[i - 1]?.value ?? '') && /\s/.test(arg.value)
    if (isCode) {
      tries += 1
      analysis.runShellCode(arg.value, arg.span, { ...frame, via: [...frame.via, call.program] })
    } else if (name !== null && i + 1 < args.length && isKnownProgram(name)) {
      tries += 1
      analysis.runProgram(args.slice(i), { ...frame, via: [...frame.via, call.program] })
      break
    }
  }
}

/** `./x -rf /` is probably not listing files. */
function reportLikeDelete(call: ProgramCall, analysis: Analysis): void {
  if (!call.args.some(({ value }) => /^-[a-z]*(r[a-z]*f|f[a-z]*r)[a-z]*$/i.test(value) && value.length < 6)) return
  const target = call.args.find(
    arg => !arg.value.startsWith('-') && ['root', 'home', 'system'].includes(call.pathClass(arg)),
  )
  if (!target) return
  analysis.report({
    rule: 'shell/like-delete',
    message: 'runs an unknown program with the options of a recursive delete, outside the workspace',
    span: target.span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })
}

function isKnownProgram(name: string): boolean {
  return hasRules(name) || isShell(name) || isWrapper(name) || isInterpreter(name) || name === 'eval' || name === 'trap'
}
