import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, literal } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import { runCode } from '../interpret/shells.ts'
import type { ProgramCall } from '../program-call.ts'
import { readSedScript } from './sed-script.ts'
import { typedText } from './typed-text.ts'

/** Runs the commands that other programs take as options: tar, sed, vim, rsync, make. */
export function runCodeOptions(call: ProgramCall, analysis: Analysis): void {
  const find = Object.hasOwn(finders, call.program) ? finders[call.program] : undefined
  for (const arg of find?.(call) ?? []) {
    if (arg.value === '') continue
    runCode(arg.value, arg.from, arg, { ...call.frame, via: [...call.frame.via, call.program] }, analysis)
  }
}

type Finder = (call: ProgramCall) => readonly Argument[]

const finders: Readonly<Record<string, Finder>> = {
  tar,
  bsdtar: tar,
  gtar: tar,
  sed,
  gsed: sed,
  vi: editor,
  vim: editor,
  nvim: editor,
  view: editor,
  ex: editor,
  rsync: call => valuesOf(call, '-e', '--rsh', '--rsync-path').filter(({ value }) => /\s/.test(value)),
  ssh: call => proxyCommands(valuesOf(call, '-o')),
  scp: call => proxyCommands(valuesOf(call, '-o')),
  man: call => valuesOf(call, '-P', '--pager'),
  gdb: call => valuesOf(call, '-ex', '--eval-command').flatMap(arg => captured(arg, /^\s*(?:shell|!)\s*(.*)$/s)),
  psql: call =>
    [...valuesOf(call, '-c', '--command'), ...stdinLines(call)].flatMap(arg => captured(arg, /^\s*\\!\s*(.*)$/s)),
  mysql: call =>
    [...valuesOf(call, '-e', '--execute'), ...stdinLines(call)].flatMap(arg =>
      captured(arg, /^\s*(?:\\!|system)\s+(.*)$/s),
    ),
  sqlite3: call =>
    [...call.operands.slice(1), ...stdinLines(call)].flatMap(arg => captured(arg, /^\s*\.(?:shell|system)\s+(.*)$/s)),
  emacs: call =>
    valuesOf(call, '--eval', '-eval', '--execute').flatMap(arg => captured(arg, /\(shell-command\s+"([^"]*)"/)),
  expect: call => valuesOf(call, '-c').flatMap(arg => captured(arg, /\bspawn\s+([^;\n]*)/)),
  make,
  gmake: make,
  git: call =>
    valuesOf(call, '--upload-pack', '--receive-pack', '--exec', '-u').filter(({ value }) => /[\s;|&]/.test(value)),
  tcpdump: call => valuesOf(call, '-z'),
  tmux: typed,
  screen: typed,
  zellij: typed,
  kitty: typed,
  wezterm: typed,
  xdotool: typed,
  ydotool: typed,
  wtype: typed,
  nmap: call => valuesOf(call, '--script').flatMap(arg => captured(arg, /os\.execute\(['"]([^'"]*)/)),
}

function typed(call: ProgramCall): readonly Argument[] {
  const text = typedText(call)
  return text === null || text.value.trim() === '' ? [] : [text]
}

function tar(call: ProgramCall): readonly Argument[] {
  return [
    ...valuesOf(call, '--to-command', '--use-compress-program', '-I', '--rsh-command'),
    ...valuesOf(call, '--checkpoint-action').flatMap(arg => captured(arg, /^exec=(.*)$/s)),
  ]
}

/** `1e command` runs a command, `s/…/…/e` runs the result, `w file` writes a file. */
function sed(call: ProgramCall): readonly Argument[] {
  const given = valuesOf(call, '-e', '--expression')
  const scripts = given.length > 0 ? given : call.operands.slice(0, 1)
  return scripts.flatMap(script => {
    const { runs, runsInput, writes } = readSedScript(script.value)
    return [
      ...runs.map(value => ({ ...script, value })),
      ...(runsInput ? [{ ...script, value: '\0' }] : []),
      ...writes.filter(file => file.startsWith('/')).map(file => ({ ...script, value: `: > '${file}'` })),
    ]
  })
}

/** Shell commands of an editor: `-c ':!command'`, `+!command`. */
function editor({ args }: ProgramCall): readonly Argument[] {
  return args.flatMap((arg, i) => {
    const isCommand = arg.value.startsWith('+') || ['-c', '--cmd', '-S'].includes(args[i - 1]?.value ?? '')
    return isCommand ? captured(arg, /^\+?:?\s*(?:silent!?\s+)?(?:r\s*|%)?!\s*(.*)$/s) : []
  })
}

function proxyCommands(options: readonly Argument[]): readonly Argument[] {
  return options.flatMap(arg => captured(arg, /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is))
}

/** The recipes of a makefile that this command wrote, and shells given as variables. */
function make(call: ProgramCall): readonly Argument[] {
  const given = call.args.findIndex(({ value }) => /^(-f|--file|--makefile)$/.test(value))
  const file = call.args[given + 1]
  const name = given >= 0 && file ? file : literal('Makefile', call.frame.span)
  const { text } = name.value === '-' ? call.stdin : fileStream(name, call.frame.scope)
  const recipes = (text ?? '').split('\n').filter(line => line.startsWith('\t'))
  const shells = call.args.flatMap(arg => captured(arg, /^SHELL=(.*)$/s))
  return [...shells, ...recipes.map(line => literal(recipe(line), call.frame.span))]
}

function recipe(line: string): string {
  return line
    .trim()
    .replace(/^[@-]+/, '')
    .replaceAll('$$', '$')
}

/** The values of these options anywhere in the arguments, without a grammar. */
function valuesOf({ args }: ProgramCall, ...names: readonly string[]): Argument[] {
  return args.flatMap((arg, i) => {
    if (names.includes(args[i - 1]?.value ?? '')) return [arg]
    const at = arg.value.indexOf('=')
    const isGiven = at > 0 && arg.value.startsWith('--') && names.includes(arg.value.slice(0, at))
    return isGiven ? [{ ...arg, value: arg.value.slice(at + 1) }] : []
  })
}

function stdinLines({ stdin, frame }: ProgramCall): Argument[] {
  return stdin.text ? stdin.text.split('\n').map(line => literal(line, frame.span)) : []
}

function captured(arg: Argument, pattern: RegExp): Argument[] {
  const found = pattern.exec(arg.value)?.[1]
  return found === undefined ? [] : [{ ...arg, value: found }]
}
