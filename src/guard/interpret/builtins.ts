import { runScript } from '../look/run-script.ts'
import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { checkVariable } from '../wrappers/steering-variables.ts'
import type { Analysis, Frame, ShellContext } from './analysis.ts'
import { type Argument, isStdin, origins, texts, unknownText } from './arguments.ts'
import { fileStream } from './files.ts'
import { limits } from './limits.ts'
import { runCode, runStream } from './shells.ts'
import { emptyStream, type Stream } from './streams.ts'

/** Runs a builtin that changes the shell itself; null for other programs. */
export function runBuiltin(call: ProgramCall, analysis: Analysis): Stream | null {
  const { args, frame } = call
  const { scope } = frame
  switch (call.program) {
    case 'cd':
    case 'chdir':
    case 'pushd':
    case 'set-location':
    case 'sl':
      changeDirectory(call)
      return emptyStream
    case 'popd':
      ;[scope.cwd, scope.oldCwd] = [scope.oldCwd, scope.cwd]
      return emptyStream
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
    case 'set-variable':
      for (const arg of args) assign(arg, call, analysis)
      markVariables(call)
      return printsVariables(call) ? { text: null, from: origins.secret, pathPattern: null } : emptyStream
    case 'alias':
      for (const { value } of args) {
        const at = value.indexOf('=')
        if (at > 0) scope.aliases.set(value.slice(0, at), value.slice(at + 1))
      }
      return emptyStream
    case 'unset':
      for (const { value } of args) {
        scope.unset(value)
        scope.functions.delete(value)
      }
      return emptyStream
    case 'set': {
      if (args.length === 0) return { text: null, from: origins.secret, pathPattern: null }
      const from = args.findIndex(({ value }) => value === '--')
      if (from >= 0) scope.positional = args.slice(from + 1)
      else if (args[0] && !/^[-+]/.test(args[0].value)) scope.positional = args
      return emptyStream
    }
    case 'shift':
      analysis.countCharacters(scope.positional?.length ?? 0)
      scope.positional = scope.positional?.slice(Number(args[0]?.value ?? 1) || 1) ?? null
      return emptyStream
    case 'read':
    case 'mapfile':
    case 'readarray':
      readVariables(call)
      return emptyStream
    case 'eval': {
      const text = texts(args).join(' ')
      const from = args.reduce((bits, arg) => bits | arg.from, 0)
      const [first] = args
      return first
        ? runCode(text, from, { ...first, value: text }, { ...frame, via: [...frame.via, 'eval'] }, analysis)
        : emptyStream
    }
    case 'source':
    case '.': {
      const [file, ...rest] = args
      if (!file) return emptyStream
      if (rest.length > 0) scope.positional = rest
      const via = [...frame.via, 'source']
      const stream = isStdin(file) ? call.stdin : fileStream(file, scope)
      const looked = stream.file
        ? runScript(file, { args: null, language: 'shell' }, { ...frame, via }, analysis)
        : null
      return looked ?? runStream(stream, file, { ...frame, via }, analysis, !isStdin(file))
    }
    case 'trap': {
      const action = args.find(({ value }) => !value.startsWith('-') || value === '-')
      if (!action || action.value === '-' || args.length < 2) return emptyStream
      return runCode(action.value, action.from, action, { ...frame, via: [...frame.via, 'trap'] }, analysis)
    }
    default:
      return null
  }
}

/** `export -p`, `declare -p`, and both without names. */
function printsVariables({ args, program }: ProgramCall): boolean {
  return program !== 'local' && args.every(({ value }) => /^-[pxf]+$/.test(value))
}

function changeDirectory({ operands, frame, context }: ProgramCall): void {
  const { scope } = frame
  const target = operands[0]
  const before = scope.cwd
  if (!target) scope.cwd = context.home
  else if (target.value === '-') scope.cwd = scope.oldCwd
  else scope.cwd = directoryAt(target, scope.cwd, context)
  // CDPATH can lead anywhere.
  if (frame.env.has('CDPATH') && !/^\.{0,2}\//.test(target?.value ?? '/')) scope.cwd = null
  scope.oldCwd = before
}

/** The directory that an argument names; null if it is unknown. */
function directoryAt({ value, glob }: Argument, cwd: string | null, { home }: ShellContext): string | null {
  if (glob) return null
  const path = absolute(value, cwd)
  if (path === null || path.length > limits.directory) return null
  // A home folder that is unknown is still a home folder.
  const known = path === home || path.startsWith(`${home}/`) ? path.slice(home.length) : value
  return known.includes(unknownText) ? null : path
}

/** `declare -i n` and `declare -n reference=n` change what the name means. */
function markVariables({ args, frame }: ProgramCall): void {
  const flags = args.flatMap(({ value }) => (/^-[a-zA-Z]+$/.test(value) ? [value] : [])).join('')
  if (!/[in]/.test(flags)) return
  for (const { value } of args) {
    const name = /^[A-Za-z_]\w*/.exec(value)?.[0]
    if (name === undefined) continue
    const before = frame.scope.variables.get(name) ?? { text: '', from: 0, glob: false, list: null }
    frame.scope.set(name, { ...before, isInteger: flags.includes('i'), isReference: flags.includes('n') })
  }
}

function assign({ value, from, glob, span }: Argument, { frame }: ProgramCall, analysis: Analysis): void {
  const match = /^([A-Za-z_]\w*)(\+?)=/.exec(value)
  if (!match) return
  const [whole, name = '', append] = match
  const before = append ? (frame.scope.variables.get(name)?.text ?? '') : ''
  analysis.countCharacters(before.length)
  const assigned = { text: before + value.slice(whole.length), from, glob, list: null }
  frame.scope.set(name, assigned)
  checkVariable(name, assigned, span, frame, analysis)
}

/** Where `read a b` splits a line: `IFS=: read a b`. */
function separator({ env }: Frame): RegExp | string {
  const [char = ''] = env.get('IFS')?.text ?? ''
  return char.trim() === '' ? /\s+/ : char
}

/** `read x` reads a line of stdin, which may be a path of a known pattern. */
function readVariables({ operands, stdin, frame, program }: ProgramCall): void {
  const text =
    stdin.pathPattern ??
    (stdin.text === null ? unknownText : program === 'read' ? (stdin.text.split('\n')[0] ?? '') : stdin.text)
  const names = operands.filter(({ value }) => /^[A-Za-z_]\w*$/.test(value))
  const words = names.length > 1 ? text.split(separator(frame)) : [text]
  names.forEach(({ value: name, span }, i) => {
    const word = i === names.length - 1 ? words.slice(i).join(' ') : (words[i] ?? '')
    const glob = stdin.pathPattern !== null
    const list = program === 'read' ? null : [{ value: text, glob, quoted: false, from: stdin.from, span }]
    frame.scope.set(name, { text: stdin.text === null && !glob ? unknownText : word, from: stdin.from, glob, list })
  })
}
