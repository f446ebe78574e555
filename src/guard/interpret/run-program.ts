import { checkDataFlows } from '../data-flows.ts'
import { runInterpreter } from '../languages/interpreters.ts'
import { runProjectScript } from '../look/project-scripts.ts'
import { runScript } from '../look/run-script.ts'
import { ProgramCall } from '../program-call.ts'
import { checkRules, grammars, hasRules } from '../rules/index.ts'
import type { ShellNode } from '../shell/syntax-tree.ts'
import { runCodeOptions } from '../wrappers/code-options.ts'
import { runEnvironmentCode } from '../wrappers/environment-code.ts'
import { runNamedScript } from '../wrappers/named-scripts.ts'
import { isTextConsumer } from '../wrappers/text-consumers.ts'
import { unwrap } from '../wrappers/unwrap.ts'
import { runWindowsShell } from '../wrappers/windows-shells.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, literal, origins, texts, unknownText } from './arguments.ts'
import { runBuiltin } from './builtins.ts'
import { fileStream } from './files.ts'
import { limits } from './limits.ts'
import { outputOf } from './outputs.ts'
import { programName } from './program-name.ts'
import { runShell } from './shells.ts'
import { emptyStream, type Stream, unknownStream } from './streams.ts'
import { lookForNestedCommand, runUnknownProgram } from './unknown-program.ts'
import { reportRemoteCode } from './unseen-code.ts'

/** Analyzes one program: checks the rules, analyzes the commands inside it, and returns its output. */
export function runProgram(argv: readonly Argument[], frame: Frame, analysis: Analysis): Stream {
  const [head, ...args] = argv
  if (!head) return emptyStream
  analysis.countSteps()
  countReading(argv, frame, analysis)
  if (frame.via.length > limits.wrappers) {
    analysis.report(tooDeepFinding(frame))
    return unknownStream
  }
  // `/etc/init.d/nginx stop` is `service nginx stop`.
  if (head.value.startsWith('/etc/init.d/'))
    return runProgram([literal('service', head.span), ...argv], frame, analysis)
  const name = programName(head)
  if (name === null) return runUnknownProgram(head, args, frame, analysis)
  if (!isRedirect(name)) recordSegment(argv, frame, analysis)

  const body = frame.scope.functions.get(name)
  if (body) return callFunction(name, body, args, frame, analysis)
  const alias = frame.scope.aliases.get(name)
  if (alias !== undefined && !head.quoted) {
    frame.scope.aliases.delete(name)
    const written = analysis.runShellCode(`${alias} ${texts(args).map(quote).join(' ')}`, frame.span, frame)
    frame.scope.aliases.set(name, alias)
    return written
  }

  if (head.value.includes('/')) runNamedFile(head, args, frame, analysis)
  const call = new ProgramCall(name, args, frame, analysis.context, grammars.get(name))
  runEnvironmentCode(call, analysis)
  runCodeOptions(call, analysis)
  const named = runNamedScript(call, analysis)
  runProjectScript(call, analysis)
  checkRules(call, analysis)
  checkDataFlows(call, analysis)
  const inner =
    runBuiltin(call, analysis) ??
    runShell(call, analysis) ??
    unwrap(call, analysis) ??
    runInterpreter(call, analysis) ??
    runWindowsShell(call, analysis)
  if (named ?? inner) return named ?? inner ?? unknownStream
  if (!hasRules(name) && !isTextConsumer(name) && !isRedirect(name)) lookForNestedCommand(call, analysis)
  const written = outputOf(call)
  analysis.countCharacters(written.text?.length ?? 0)
  return written
}

function isRedirect(name: string): boolean {
  return name === '<' || name === '>' || name === '>>'
}

/** Rules may read all arguments and the stdin of a program, and resolve every argument as a path in its directory. */
function countReading(argv: readonly Argument[], frame: Frame, analysis: Analysis): void {
  let characters = frame.stdin.text?.length ?? 0
  const directory = (frame.scope.cwd?.length ?? 0) / 2
  for (const { value } of argv) characters += value.length + directory
  analysis.countCharacters(characters)
}

/** Runs `./x` if this command wrote or downloaded it, or if it may be looked at. */
function runNamedFile(head: Argument, args: readonly Argument[], frame: Frame, analysis: Analysis): void {
  const { text, from, file } = fileStream(head, frame.scope)
  if (from & origins.network) reportRemoteCode(head, frame, analysis)
  if (file) runScript(head, { args }, frame, analysis)
  if (!text) return
  const scope = frame.scope.copy()
  scope.positional = args
  const isShell = !/^#!(?!.*\b(ba|z|da|k)?sh\b)/.test(text)
  if (isShell) analysis.runShellCode(text, head.span, { ...frame, scope, via: [...frame.via, head.value] })
}

function callFunction(
  name: string,
  body: readonly ShellNode[],
  args: readonly Argument[],
  frame: Frame,
  analysis: Analysis,
): Stream {
  const { scope } = frame
  const deep = frame.callStack.filter(one => one === body).length
  if (deep > 1) return unknownStream
  // f() { f | f & } multiplies with every call.
  if (deep === 1 && hasPipeline(body)) analysis.report(forkBombFinding(frame))
  const before = scope.positional
  scope.positional = args
  const written = analysis.walk(body, scope, {
    ...frame,
    via: [...frame.via, name],
    callStack: [...frame.callStack, body],
  })
  scope.positional = before
  return written
}

const knownPipelines = new WeakMap<readonly ShellNode[], boolean>()

function hasPipeline(body: readonly ShellNode[]): boolean {
  const known = knownPipelines.get(body) ?? JSON.stringify(body).includes('"kind":"pipeline"')
  knownPipelines.set(body, known)
  return known
}

function recordSegment(argv: readonly Argument[], { scope, via, span }: Frame, analysis: Analysis): void {
  const shown = texts(argv).map(text => text.replaceAll(unknownText, '…'))
  analysis.recordSegment({ argv: shown, cwd: scope.cwd, via, span })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function forkBombFinding({ span }: Frame) {
  return {
    rule: 'system/fork-bomb',
    message: 'starts copies of itself until the machine stops responding',
    span,
    verdict: 'deny',
    severity: 'critical',
    safer: null,
  } as const
}

export function tooDeepFinding({ span }: Frame) {
  return {
    rule: 'shell/too-deep',
    message: 'nests commands too deeply to analyze',
    span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  } as const
}
