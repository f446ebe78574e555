import { checkDataFlows } from '../data-flows.ts'
import { runInterpreter } from '../languages/interpreters.ts'
import { runProjectScript } from '../look/project-scripts.ts'
import { runScript } from '../look/run-script.ts'
import { ProgramCall } from '../program-call.ts'
import { checkRules, grammars, hasRules } from '../rules/index.ts'
import { parseShell } from '../shell/parse.ts'
import type { ShellNode } from '../shell/syntax-tree.ts'
import { runCodeOptions } from '../wrappers/code-options.ts'
import { runCurlConfig } from '../wrappers/curl-config.ts'
import { runGitCommands } from '../wrappers/git-commands.ts'
import { runNamedScript } from '../wrappers/named-scripts.ts'
import { isTextConsumer } from '../wrappers/text-consumers.ts'
import { unwrap } from '../wrappers/unwrap.ts'
import { runWindowsShell } from '../wrappers/windows-shells.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, literal, origins, texts, unknownText } from './arguments.ts'
import { runBuiltin } from './builtins.ts'
import { runEvaluatedArguments } from './code-builtins.ts'
import { markEndless } from './endless-output.ts'
import { rememberFetchedFolder } from './fetched-folders.ts'
import { fileKey, fileStream } from './files.ts'
import { reportForkBomb } from './fork-bombs.ts'
import { limits } from './limits.ts'
import { rememberMade } from './made-here.ts'
import { outputOf } from './outputs.ts'
import { programName } from './program-name.ts'
import { runShell } from './shells.ts'
import { withSources } from './stream-sources.ts'
import { emptyStream, type Stream, unknownStream } from './streams.ts'
import { lookForNestedCommand, runUnknownProgram } from './unknown-program.ts'
import { reportRemoteCode } from './unseen-code.ts'
import { reportUnseenInput } from './unseen-input.ts'

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
  recordSegment(argv, frame, analysis, !isRedirect(name))

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
  if (call.program === 'git') runGitCommands(call, analysis)
  runEvaluatedArguments(call, analysis)
  runCodeOptions(call, analysis)
  runCurlConfig(call, analysis)
  const named = runNamedScript(call, analysis)
  runProjectScript(call, analysis)
  checkRules(call, analysis)
  checkDataFlows(call, analysis)
  const id = rememberMade(call)
  rememberFetchedFolder(call)
  reportUnseenInput(call, analysis)
  const inner =
    runBuiltin(call, analysis) ??
    runShell(call, analysis) ??
    unwrap(call, analysis) ??
    runInterpreter(call, analysis) ??
    runWindowsShell(call, analysis)
  const known = id ?? named ?? inner
  if (known) return withSources(known, call)
  if (!hasRules(name) && !isTextConsumer(name) && !isRedirect(name)) lookForNestedCommand(call, analysis)
  const written = withSources(markEndless(outputOf(call), call), call)
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
  const script = fileKey(head.value, frame.scope.cwd)
  if (from & origins.network) reportRemoteCode(head, frame, analysis)
  if (file) runScript(head, { args }, frame, analysis)
  if (!text) return
  if (frame.callStack.some(({ name }) => name === script)) {
    const { body } = parseShell(text, head.span)
    const names = [script, '$0', head.value]
    reportForkBomb(
      names.map(name => ({ name, body })),
      frame,
      analysis,
    )
    return
  }
  const scope = frame.scope.copy()
  scope.positional = args
  scope.scriptName = head
  const inner = {
    ...frame,
    scope,
    via: [...frame.via, head.value],
    callStack: [...frame.callStack, { name: script, body: [] }],
  }
  const isShell = !/^#!(?!.*\b(ba|z|da|k)?sh\b)/.test(text)
  if (isShell) analysis.runShellCode(text, head.span, inner)
  // `#!/usr/bin/env python3`
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(\S+)/.exec(text)?.[1]
  if (!isShell && interpreter) runProgram([literal(interpreter, head.span), head, ...args], inner, analysis)
}

function callFunction(
  name: string,
  body: readonly ShellNode[],
  args: readonly Argument[],
  frame: Frame,
  analysis: Analysis,
): Stream {
  const { scope } = frame
  const deep = frame.callStack.filter(one => one.body === body).length
  if (deep > 1) return unknownStream
  if (deep === 1)
    reportForkBomb(frame.callStack.slice(frame.callStack.findIndex(one => one.body === body)), frame, analysis)
  const before = scope.positional
  scope.positional = args
  const written = analysis.walk(body, scope, {
    ...frame,
    via: [...frame.via, name],
    callStack: [...frame.callStack, { name, body }],
  })
  scope.positional = before
  return written
}

function recordSegment(argv: readonly Argument[], frame: Frame, analysis: Analysis, isProgram: boolean): void {
  const shown = argv.map(({ value }) => (value.includes(unknownText) ? value.replaceAll(unknownText, '…') : value))
  const { scope, via, span, root } = frame
  analysis.begin({ argv: shown, cwd: scope.cwd, via, span, root, remote: scope.isRemote }, isProgram)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
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
