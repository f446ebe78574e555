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
  java: ({ args }) =>
    prefixed(args, /^-(?:javaagent:|agentpath:|Xbootclasspath\/[ap]:|XX:On(?:Error|OutOfMemoryError)=)([^=]*)/s),
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

function prefixed(args: readonly Argument[], pattern: RegExp): Argument[] {
  return args.flatMap(arg => captured(arg, pattern))
}
