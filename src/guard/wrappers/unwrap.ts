import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, isDynamic, literal, origins, texts, unknownText } from '../interpret/arguments.ts'
import { runsInOwnContainer } from '../interpret/made-here.ts'
import { runCode } from '../interpret/shells.ts'
import { type Stream, streamOf, unknownStream } from '../interpret/streams.ts'
import { type Option, parseArgs } from '../parse-args.ts'
import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { agentMarkers } from '../rules/beckon/agent-markers.ts'
import { hasRules } from '../rules/index.ts'
import { list } from '../word-list.ts'
import { checkVariable } from './steering-variables.ts'
import { wrappers } from './table/index.ts'
import { everyOperand, type Wrapper } from './wrapper.ts'
import { runForEachName } from './xargs-and-find.ts'

/** Runs the command inside a wrapper; null if the call does not wrap one. */
export function unwrap(call: ProgramCall, analysis: Analysis): Stream | null {
  const named = runForEachName(call, analysis)
  if (named) return named
  const entry = Object.hasOwn(wrappers, call.program) ? wrappers[call.program] : undefined
  if (!entry) return null
  const specs: readonly Wrapper[] = 'length' in entry ? (entry as readonly Wrapper[]) : [entry as Wrapper]
  for (const spec of specs) {
    const rest = afterSub(call.args, spec)
    if (!rest || isOwnSubcommand(spec, rest)) continue
    const written = unwrapBy(spec, rest, call, analysis)
    return written && spec.isMachine ? fromMachine(written) : written
  }
  return null
}

/** What another machine writes is as untrusted as any page of the network, even if it is a file there; a dump of a database is only data. */
function fromMachine({ text, from, pathPattern }: Stream): Stream {
  return { text, from: from & origins.machine ? from : from | origins.network, pathPattern }
}

export function isWrapper(program: string): boolean {
  return Object.hasOwn(wrappers, program) || ['xargs', 'parallel', 'find', 'fd'].includes(program)
}

/** The arguments after the wrapper's subcommand, whose words may have options before them; null for other subcommands. */
function afterSub(args: readonly Argument[], { sub, values = [] }: Wrapper): readonly Argument[] | null {
  let rest = args
  for (const word of sub?.split(' ') ?? []) {
    if (!rest.some(({ value }) => value === word)) return null
    const { operands, positions } = parseArgs(rest, { values, posix: true })
    if (operands[0]?.value !== word) return null
    rest = rest.slice((positions[0] ?? 0) + 1)
  }
  return rest
}

/** `yarn add` is a command of yarn, `yarn prisma` runs the program prisma. */
function isOwnSubcommand({ ownSubcommands, values = [], skip = 0 }: Wrapper, args: readonly Argument[]): boolean {
  if (!ownSubcommands) return false
  const word = parseArgs(args, { values, posix: true }).operands[skip]
  return word === undefined || ownSubcommands.includes(word.value)
}

function unwrapBy(spec: Wrapper, args: readonly Argument[], call: ProgramCall, analysis: Analysis): Stream | null {
  const { values = [], code = [], skip = 0 } = spec
  const { options, operands } = parseArgs(args, {
    values: [...values, ...code],
    posix: !spec.eachOperand && skip < everyOperand,
  })
  const frame = innerFrame(spec, call)
  for (const { name, value } of options) {
    if (value && spec.directory?.includes(name))
      frame.scope.cwd = value.value.includes(unknownText) ? null : absolute(value.value, call.cwd)
    if (value && spec.unsets?.includes(name)) frame.scope.unset(value.value)
    if (spec.clears?.includes(name)) for (const marker of agentMarkers) frame.scope.unset(marker)
  }
  let written: Stream | null = null
  for (const { name, value } of options) {
    if (value && code.includes(name)) written = runCode(value.value, value.from, value, frame, analysis)
  }
  if (call.program === 'command' && options.some(({ name }) => /^-[vV]$/.test(name))) {
    return streamOf(operands[0]?.value ?? '')
  }
  if (spec.eachOperand) {
    for (const operand of operands) written = runCode(operand.value, operand.from, operand, frame, analysis)
    return written ?? unknownStream
  }
  if (spec.runsAs !== undefined) {
    const rest = spec.afterDashes ? innerWords(spec, args, operands, frame, analysis) : args
    return analysis.runProgram([literal(spec.runsAs, call.frame.span), ...rest], frame)
  }
  if (spec.image) runImage(options, operands, frame, analysis)
  const inner = withSpecifiers(call, innerWords(spec, args, operands.slice(skip), frame, analysis))
  if (spec.sub?.endsWith('exec') && runsInOwnContainer(call, inner)) return unknownStream
  // `flock FILE -c CODE`: the option comes after the operand.
  const [late, lateCode] = inner
  if (late && lateCode && code.includes(late.value))
    return runCode(lateCode.value, lateCode.from, lateCode, frame, analysis)
  const isLogFile = call.program === 'script' && inner.length === 1
  if (inner.length === 0 || isLogFile) return written ?? runInteractive(call, spec, frame, analysis)
  if (spec.joined || (call.program === 'sudo' && options.some(({ name }) => ['-i', '-s'].includes(name)))) {
    return runJoined(inner, frame, analysis)
  }
  return analysis.runProgram(inner, frame)
}

/** systemd replaces `%h` by the home folder before it starts a program. */
function withSpecifiers({ program, context }: ProgramCall, inner: readonly Argument[]): readonly Argument[] {
  if (program !== 'systemd-run') return inner
  return inner.map(arg => (arg.value.includes('%h') ? { ...arg, value: arg.value.replace(/%h/, context.home) } : arg))
}

/** An image may start a program of the same name: `docker run hashicorp/terraform destroy`. */
function runImage(options: readonly Option[], operands: readonly Argument[], frame: Frame, analysis: Analysis): void {
  const [image, ...rest] = operands
  if (!image) return
  const entry = options.findLast(({ name }) => name === '--entrypoint')?.value
  if (entry) {
    analysis.runProgram([entry, ...rest], frame)
    return
  }
  const name =
    image.value
      .replace(/[:@].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  const program = Object.hasOwn(images, name) ? images[name] : name
  if (program === undefined || !hasRules(program) || hasRules(rest[0]?.value ?? '')) return
  analysis.runProgram([{ ...image, value: program }, ...rest], frame)
}

const images: Readonly<Record<string, string>> = { 'aws-cli': 'aws', 'google-cloud-sdk': 'gcloud', 'azure-cli': 'az' }

function innerFrame(spec: Wrapper, { frame, program }: ProgramCall): Frame {
  const scope = frame.scope.copy()
  scope.stdin = frame.stdin
  if (spec.isRemote) {
    scope.cwd = null
    scope.isRemote = true
    scope.files = new Map()
  }
  return {
    ...frame,
    scope,
    via: [...frame.via, spec.sub ? `${program} ${spec.sub}` : program],
    root: frame.root || (spec.asRoot ?? false),
    isEscape: frame.isEscape === true || program === 'git',
  }
}

/** The command after assignments (`FOO=1 BAR=2 cmd`), or after `--`. */
function innerWords(
  spec: Wrapper,
  args: readonly Argument[],
  operands: readonly Argument[],
  frame: Frame,
  analysis: Analysis,
): readonly Argument[] {
  if (spec.afterDashes) {
    const at = args.findIndex(({ value }) => value === '--')
    return at < 0 ? [] : args.slice(at + 1)
  }
  if (!spec.assignments) return operands
  // `env $(cat .env) cmd`: unknown words before the command are assignments.
  const isEnv = frame.via.at(-1) === 'env' && operands.length > 1
  const first = operands.findIndex(arg => !/^[A-Za-z_][\w%()]*=/.test(arg.value) && !(isEnv && isDynamic(arg)))
  const assignments = first < 0 ? operands : operands.slice(0, first)
  for (const { value, from, span } of assignments) {
    const at = value.indexOf('=')
    if (at < 0) continue
    const [name, text] = [value.slice(0, at), value.slice(at + 1)]
    const assigned = { text, from, glob: false, list: null }
    frame.scope.set(name, assigned)
    checkVariable(name, assigned, span, frame, analysis)
    // `env 'BASH_FUNC_ls%%=() { … }' bash`: a function for every shell that starts.
    const exported = /^BASH_FUNC_(.+?)(%%|\(\))$/.exec(name)?.[1]
    if (text.startsWith('() {')) analysis.runShellCode(`${exported ?? name} ${text}`, span, frame)
  }
  const inner = first < 0 ? [] : operands.slice(first)
  return inner[0]?.value === '--' ? inner.slice(1) : inner
}

/** A shell that reads stdin: `ssh host < script`, `sudo su`. */
function runInteractive(call: ProgramCall, spec: Wrapper, frame: Frame, analysis: Analysis): Stream | null {
  if (!startsShell.has(call.program) || call.stdin.text === '' || spec.eachOperand) return null
  // `ssh -p 22` alone has no host yet: another program completes it.
  if (spec.skip === 1 && parseArgs(call.args, { values: spec.values ?? [] }).operands.length === 0) return null
  return analysis.runProgram([{ value: 'sh', glob: false, quoted: true, from: 0, span: call.frame.span }], {
    ...frame,
    stdin: call.stdin,
  })
}

const startsShell = new Set(
  list(
    'ssh autossh su chroot nsenter unshare sudo doas runuser run0 script wsl vagrant toolbox distrobox machinectl nix-shell newgrp sg',
  ),
)

function runJoined(inner: readonly Argument[], frame: Frame, analysis: Analysis): Stream {
  const [first] = inner
  if (!first) return unknownStream
  const text = texts(inner).join(' ')
  const from = inner.reduce((bits, arg) => bits | arg.from, 0)
  return runCode(
    text,
    from,
    { ...first, span: [first.span[0], inner.at(-1)?.span[1] ?? first.span[1]] },
    frame,
    analysis,
  )
}
