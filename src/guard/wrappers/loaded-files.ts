import type { Argument } from '../interpret/arguments.ts'
import { captured, type Finder, valuesOf } from './find-code.ts'

const options =
  (...names: string[]): Finder =>
  call =>
    valuesOf(call, ...names)

const node = options('-r', '--require', '--import', '--loader', '--experimental-loader')
const compiler: Finder = ({ args }) => prefixed(args, /^-(?:fplugin=|specs=|B)(.*)$/s)

/** By program: the files of code that its options load. */
export const loadedFiles: Readonly<Record<string, Finder>> = {
  node,
  nodejs: node,
  tsx: node,
  bun: options('-r', '--preload'),
  deno: options('--preload', '--import-map'),
  ruby: call => [...valuesOf(call, '-r', '-I'), ...prefixed(call.args, /^-[rI](.+)$/s)],
  perl: ({ args }) => prefixed(args, /^-(?:I|Mlib=|d:)(.+)$/s),
  java: ({ args }) => prefixed(args, /^-(?:javaagent:|agentpath:|Xbootclasspath\/[ap]:)([^=]*)/s),
  php: call =>
    valuesOf(call, '-d', '-c').flatMap(arg =>
      captured(arg, /^(?:auto_(?:prepend|append)_file=|extension=|zend_extension=)?(.*)$/s),
    ),
  lua: options('-l'),
  gcc: compiler,
  'g++': compiler,
  cc: compiler,
  clang: compiler,
  'clang++': compiler,
  vim: options('-u'),
  nvim: options('-u'),
  emacs: options('-l', '--load'),
  bash: options('--rcfile', '--init-file'),
  ssh: options('-F', '-I'),
  'ssh-add': options('-s'),
  'ssh-keygen': options('-D'),
  openssl: options('-engine', '-provider-path', '-config'),
  sqlite3: call => call.args.flatMap(arg => captured(arg, /^\s*\.load\s+["']?([^"'\s]+)/s)),
  gawk: options('-l', '--load'),
}

const program = options('-f', '--file')
const operands: Finder = call => call.operands

/** By program: the files whose text it runs as its own script, which are fine unless they come from the network. */
export const scriptFiles: Readonly<Record<string, Finder>> = {
  awk: program,
  gawk: program,
  mawk: program,
  nawk: program,
  sed: program,
  gsed: program,
  vim: options('-S', '-s', '-u'),
  nvim: options('-S', '-s', '-u', '-l'),
  emacs: options('-l', '--load', '--script'),
  gdb: options('-x', '-ix', '--command'),
  lldb: options('-s', '--source'),
  expect: operands,
  tclsh: operands,
  m4: operands,
  gnuplot: operands,
  octave: operands,
  jshell: operands,
  'ansible-playbook': operands,
  just: program,
  rake: program,
  task: options('-t', '--taskfile'),
}

function prefixed(args: readonly Argument[], pattern: RegExp): Argument[] {
  return args.flatMap(arg => captured(arg, pattern))
}
