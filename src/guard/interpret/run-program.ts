import { checkFlows } from '../data-flows.ts'
import { isInterpreter, runInterpreter } from '../languages/interpreters.ts'
import { Call } from '../program-call.ts'
import { checkRules, grammars, hasRules } from '../rules/index.ts'
import { runCodeOptions } from '../wrappers/code-options.ts'
import { codeInEnvironment } from '../wrappers/environment-code.ts'
import { runNamedScript } from '../wrappers/named-scripts.ts'
import { isTextConsumer } from '../wrappers/text-consumers.ts'
import { isWrapper, unwrap } from '../wrappers/unwrap.ts'
import { runWindowsShell } from '../wrappers/windows-shells.ts'
import { type Frame, limits, type Reading } from './analysis.ts'
import { type Arg, empty, hole, isKnown, literal, origins, type Stream, texts, unknown } from './arguments.ts'
import { runBuiltin } from './builtins.ts'
import { fileStream } from './files.ts'
import { outputOf } from './outputs.ts'
import { isShell, runShell } from './shells.ts'
import { reportNetworkCode } from './unseen-code.ts'

/** One program is started: what is inside of it is run too, rules look at it, and what it writes is given back. */
export function run(argv: readonly Arg[], frame: Frame, reading: Reading): Stream {
  const [head, ...args] = argv
  if (!head) return empty
  reading.step()
  if (frame.via.length > limits.wrappers) {
    reading.report(tooDeep(frame))
    return unknown
  }
  // /etc/init.d/nginx stop is service nginx stop.
  if (head.value.startsWith('/etc/init.d/')) return run([literal('service', head.span), ...argv], frame, reading)
  const name = programName(head)
  if (name === null) return runUnknown(head, args, frame, reading)
  if (name !== '>' && name !== '>>') note(argv, frame, reading)

  const body = frame.scope.functions.get(name)
  if (body) return callFunction(name, body, args, frame, reading)
  const alias = frame.scope.aliases.get(name)
  if (alias !== undefined && !head.quoted) {
    frame.scope.aliases.delete(name)
    const written = reading.code(`${alias} ${texts(args).map(quote).join(' ')}`, frame.span, frame)
    frame.scope.aliases.set(name, alias)
    return written
  }

  if (head.value.includes('/')) runWritten(head, args, frame, reading)
  const call = new Call(name, args, frame, reading.place, grammars.get(name))
  codeInEnvironment(call, reading)
  runCodeOptions(call, reading)
  const named = runNamedScript(call, reading)
  checkRules(call, reading)
  checkFlows(call, reading)
  const inner =
    runBuiltin(call, reading) ??
    runShell(call, reading) ??
    unwrap(call, reading) ??
    runInterpreter(call, reading) ??
    runWindowsShell(call, reading)
  if (named ?? inner) return named ?? inner ?? unknown
  if (!hasRules(name) && !isTextConsumer(name)) lookBehindUnknown(call, reading)
  return outputOf(call)
}

/** `/usr/bin/RM.exe` is `rm`, `npx prisma@5` is `prisma`: file systems without case and paths change nothing. Null where only running it would tell. */
function programName({ value, glob }: Arg): string | null {
  if (glob) return null
  const base = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1)
  if (base === '' || base.includes(hole)) return null
  // zsh writes =rm for the rm that it finds.
  return base
    .toLowerCase()
    .replace(/^=(?=\w)/, '')
    .replace(/(\.(exe|cmd|bat|com)|@[\w.^~-]+)$/, '')
}

/** The name is not known, or is no name. What follows may be a command of its own: `$SUDO rm -rf /`. */
function runUnknown(head: Arg, args: readonly Arg[], frame: Frame, reading: Reading): Stream {
  if (head.value === '') return args.length > 0 ? reading.run(args, { ...frame, via: [...frame.via, '""'] }) : empty
  // $env:NAME = value, as PowerShell assigns.
  if (/^\0:\w+$/.test(head.value) && args[0]?.value === '=') return empty
  // ./scripts/$name.sh is a script of this workspace, as unseen as any other.
  const folder = head.value.slice(0, head.value.lastIndexOf('/') + 1)
  if (folder !== '' && !folder.includes(hole) && !head.glob && !/^\/(usr\/)?(local\/)?s?bin\/$/.test(folder))
    return unknown
  reading.report({
    rule: 'shell/dynamic-command',
    message:
      head.from & origins.network
        ? 'runs a program whose name comes from the network'
        : 'which program this runs is only known when it runs',
    span: head.span,
    verdict: 'ask',
    severity: head.from & origins.network ? 'critical' : 'medium',
    safer: 'write the name of the program',
  })
  if (args.length > 0) reading.run(args, { ...frame, via: [...frame.via, '?'] })
  return unknown
}

/** ./x that this very command has written or downloaded. */
function runWritten(head: Arg, args: readonly Arg[], frame: Frame, reading: Reading): void {
  const { text, from } = fileStream(head, frame.scope)
  if (from & origins.network) reportNetworkCode(head, frame, reading)
  if (!text) return
  const scope = frame.scope.copy()
  scope.positional = args
  const isShell = !/^#!(?!.*\b(ba|z|da|k)?sh\b)/.test(text)
  if (isShell) reading.code(text, head.span, { ...frame, scope, via: [...frame.via, head.value] })
}

/** Any program may start another one: `mywrapper --quiet rm -rf /`. */
function lookBehindUnknown(call: Call, reading: Reading): void {
  const { args, frame } = call
  let tries = 0
  reportLikeDelete(call, reading)
  for (let i = 0; i < args.length && tries < 4; i += 1) {
    const arg = args[i]
    if (!arg || !isKnown(arg)) continue
    const name = programName(arg)
    const isCode =
      i > 0 && /^--?(c|e|exec|command|cmd|run|shell)$/.test(args[i - 1]?.value ?? '') && /\s/.test(arg.value)
    if (isCode) {
      tries += 1
      reading.code(arg.value, arg.span, { ...frame, via: [...frame.via, call.program] })
    } else if (name !== null && i + 1 < args.length && startsSomething(name)) {
      tries += 1
      reading.run(args.slice(i), { ...frame, via: [...frame.via, call.program] })
      break
    }
  }
}

/** Whatever it is called: `./x -rf /` does not list files. */
function reportLikeDelete(call: Call, reading: Reading): void {
  if (!call.args.some(({ value }) => /^-[a-z]*(r[a-z]*f|f[a-z]*r)[a-z]*$/i.test(value) && value.length < 6)) return
  const target = call.args.find(
    arg => !arg.value.startsWith('-') && ['root', 'home', 'system'].includes(call.pathClass(arg)),
  )
  if (!target) return
  reading.report({
    rule: 'shell/like-delete',
    message: 'is not known, and is called like a deletion of files that are not yours',
    span: target.span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })
}

function startsSomething(name: string): boolean {
  return hasRules(name) || isShell(name) || isWrapper(name) || isInterpreter(name) || name === 'eval' || name === 'trap'
}

function callFunction(
  name: string,
  body: Parameters<Reading['walk']>[0],
  args: readonly Arg[],
  frame: Frame,
  reading: Reading,
): Stream {
  const { scope } = frame
  const deep = frame.calling.filter(one => one === body).length
  if (deep > 1) return unknown
  // f() { f | f & }: every call makes more of them.
  if (deep === 1 && body.some(node => JSON.stringify(node).includes('"pipeline"'))) reading.report(forkBomb(frame))
  const before = scope.positional
  scope.positional = args
  const written = reading.walk(body, scope, { ...frame, via: [...frame.via, name], calling: [...frame.calling, body] })
  scope.positional = before
  return written
}

function note(argv: readonly Arg[], { scope, via, span }: Frame, reading: Reading): void {
  const shown = texts(argv).map(text => text.replaceAll(hole, '…'))
  reading.segments.push({ argv: shown, cwd: scope.cwd, via, span })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function forkBomb({ span }: Frame) {
  return {
    rule: 'system/fork-bomb',
    message: 'starts copies of itself until the machine stands still',
    span,
    verdict: 'deny',
    severity: 'critical',
    safer: null,
  } as const
}

export function tooDeep({ span }: Frame) {
  return {
    rule: 'shell/too-deep',
    message: 'commands inside of commands, deeper than anybody reads',
    span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  } as const
}
