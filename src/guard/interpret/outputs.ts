import type { Call } from '../program-call.ts'
import { isSecretPath } from '../secret-paths.ts'
import { empty, hole, origins, type Stream, streamOf, texts, unknown } from './arguments.ts'
import { decodeBase64, decodeHex, unescapeText } from './decode.ts'
import { fileStream } from './files.ts'
import { findNames } from './find-paths.ts'

/** What a program writes, as far as its arguments and its stdin tell. */
export function outputOf(call: Call): Stream {
  const model = models[call.program]
  if (model) return model(call)
  // Whatever reads a secret may write it: tar, gzip, sort, openssl.
  const secret = call.args.some(({ value }) => isSecretPath(value)) ? origins.secret : 0
  const from = call.args.reduce((bits, arg) => bits | arg.from, call.stdin.from | secret)
  return from === 0 ? unknown : { text: null, from, names: null }
}

type Model = (call: Call) => Stream

const models: Record<string, Model> = {
  ':': () => empty,
  true: () => empty,
  sleep: () => empty,
  echo: ({ args }) => {
    const escapes = args[0] && /^-[neE]*e[neE]*$/.test(args[0].value)
    const words = args.filter(({ value }, i) => !(i < 2 && /^-[neE]+$/.test(value)))
    const text = `${texts(words).join(' ')}\n`
    return streamOf(escapes ? unescapeText(text) : text, bits(words))
  },
  printf: ({ args }) => {
    const words = args.filter(({ value }, i) => !(i === 0 && value === '--'))
    return streamOf(printf(words[0]?.value ?? '', texts(words.slice(1))), bits(words))
  },
  cat: passFiles,
  tac: passFiles,
  head: passFiles,
  tail: passFiles,
  tee: ({ stdin }) => stdin,
  base64: call => decodeOr(call, ['-d', '-D', '--decode'], decodeBase64),
  base32: call => ({ text: null, from: call.stdin.from, names: null }),
  xxd: call => decodeOr(call, ['-r'], decodeHex),
  openssl: call => decodeOr(call, ['-d'], decodeBase64),
  rev: ({ stdin }) => ({ ...stdin, text: stdin.text === null ? null : reverseLines(stdin.text) }),
  tr: ({ stdin, operands }) => ({
    ...stdin,
    text: stdin.text === null ? null : translate(stdin.text, operands[0]?.value ?? '', operands[1]?.value ?? ''),
  }),
  sed: ({ stdin }) => ({ text: null, from: stdin.from, names: stdin.names }),
  grep: passNames,
  sort: passNames,
  uniq: passNames,
  curl: call => ({ text: null, from: bits(call.args) | call.stdin.from | origins.network, names: null }),
  wget: () => ({ text: null, from: origins.network, names: null }),
  http: () => ({ text: null, from: origins.network, names: null }),
  https: () => ({ text: null, from: origins.network, names: null }),
  xh: () => ({ text: null, from: origins.network, names: null }),
  aria2c: () => ({ text: null, from: origins.network, names: null }),
  lynx: () => ({ text: null, from: origins.network, names: null }),
  fetch: () => ({ text: null, from: origins.network, names: null }),
  'invoke-webrequest': () => ({ text: null, from: origins.network, names: null }),
  'invoke-restmethod': () => ({ text: null, from: origins.network, names: null }),
  iwr: () => ({ text: null, from: origins.network, names: null }),
  irm: () => ({ text: null, from: origins.network, names: null }),
  nc: () => ({ text: null, from: origins.network, names: null }),
  dig: () => ({ text: null, from: origins.network, names: null }),
  env: () => ({ text: null, from: origins.secret, names: null }),
  printenv: () => ({ text: null, from: origins.secret, names: null }),
  find: call => ({ text: null, from: 0, names: findNames(call) }),
  fd: call => ({ text: null, from: 0, names: `${call.operands[1]?.value ?? '.'}/${call.operands[0]?.value ?? ''}*` }),
  ls: ({ operands }) => {
    const [folder] = operands
    if (!folder) return { text: null, from: 0, names: './*' }
    return { text: null, from: 0, names: folder.glob ? folder.value : `${folder.value}/*` }
  },
  mktemp: () => streamOf('/tmp/tmp.mktemp'),
  pwd: ({ cwd }) => streamOf(cwd ?? hole),
  which: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  type: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  realpath: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  readlink: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  dirname: ({ operands, cwd }) => {
    const path = operands[0]?.value ?? ''
    // `$(dirname "$0")` is where the script lies that is being written or run: here.
    if (path === 'sh' || path === '/bin/bash' || path === hole) return streamOf(path === hole ? hole : (cwd ?? '.'))
    const at = path.replace(/\/+$/, '').lastIndexOf('/')
    return streamOf(at < 0 ? '.' : path.slice(0, at) || '/')
  },
  basename: ({ operands }) => streamOf((operands[0]?.value ?? '').replace(/\/+$/, '').split('/').at(-1) ?? ''),
  git: call => {
    if (call.isSub('rev-parse') && call.has('--show-toplevel')) return streamOf(call.place.workspace)
    if (call.isSub('rev-parse') && call.has('--git-dir')) return streamOf('.git')
    if (call.isSub('ls-files') || call.isSub('diff') || call.isSub('grep'))
      return { text: null, from: 0, names: './src/*.x' }
    return unknown
  },
  psql: statementsIn,
  mysql: statementsIn,
  mariadb: statementsIn,
  sqlite3: statementsIn,
  'manage.py': call => (call.isSub('sqlflush') ? streamOf('TRUNCATE ALL') : unknown),
  // Their output is made to be evaluated.
  'ssh-agent': () => empty,
  direnv: () => empty,
  brew: call => (call.isSub('shellenv') ? empty : unknown),
  pyenv: () => empty,
  rbenv: () => empty,
  nodenv: () => empty,
  jenv: () => empty,
  fnm: () => empty,
  mise: () => empty,
  asdf: () => empty,
  opam: () => empty,
  starship: () => empty,
  zoxide: () => empty,
  dircolors: () => empty,
  conda: () => empty,
  mamba: () => empty,
  minikube: call => (call.operands[0]?.value === 'docker-env' ? empty : unknown),
  'docker-machine': call => (call.isSub('env') ? empty : unknown),
  lesspipe: () => empty,
  thefuck: () => empty,
  atuin: () => empty,
  'register-python-argcomplete': () => empty,
  luarocks: call => (call.isSub('path') ? empty : unknown),
  keychain: () => empty,
  resize: () => empty,
}

function passFiles(call: Call): Stream {
  const { operands, stdin, frame } = call
  const files = operands.filter(({ value }) => value !== '-' && !/^\d+$/.test(value))
  if (files.length === 0) return stdin
  const [first] = files
  if (files.length === 1 && first) return fileStream(first, frame.scope)
  const secret = files.some(({ value }) => isSecretPath(value)) ? origins.secret : 0
  return { text: null, from: bits(files) | secret, names: null }
}

/** `SELECT 'DROP TABLE ' || name …`: a query that writes statements for the next client. */
function statementsIn({ args }: Call): Stream {
  const made = args.flatMap(({ value }) => value.match(/'\s*(?:drop|truncate|delete|alter)\b[^']*/gi) ?? [])
  return made.length > 0 ? streamOf(made.map(text => `${text.slice(1)} x;`).join('\n')) : unknown
}

function passNames(call: Call): Stream {
  const { stdin, operands } = call
  const isFilter = call.program !== 'grep' || operands.length < 2
  return { text: null, from: stdin.from, names: isFilter ? stdin.names : null }
}

function decodeOr(call: Call, flags: readonly string[], decode: (text: string) => string | null): Stream {
  const file = call.operands.find(({ value }) => value !== 'enc' && value !== 'base64' && value !== '-')
  const stream = file ? fileStream(file, call.frame.scope) : call.stdin
  if (!call.has(...flags)) return { text: null, from: stream.from, names: null }
  const text = stream.text === null ? null : decode(stream.text)
  return { text: text === null ? hole : text, from: stream.from, names: null }
}

function printf(format: string, args: readonly string[]): string {
  let i = 0
  const once = () =>
    unescapeText(format).replace(/%(?:%|[-+ #0-9.*]*([sbdiuoxXcqfeEgG]))/g, (whole, kind?: string) => {
      if (!kind) return '%'
      const arg = args[i++] ?? ''
      return kind === 'b' ? unescapeText(arg) : whole.endsWith('c') ? arg.slice(0, 1) : arg
    })
  let text = once()
  // The format is used again for what is left.
  for (let round = 0; round < 64 && i > 0 && i < args.length; round += 1) text += once()
  return text
}

function reverseLines(text: string): string {
  return text
    .split('\n')
    .map(line => [...line].reverse().join(''))
    .join('\n')
}

function translate(text: string, from: string, to: string): string {
  const [source, target] = [characters(from), characters(to)]
  if (!source || !target || target.length === 0 || text.length > 20_000) return hole
  const table = new Map(source.map((char, i) => [char, target[Math.min(i, target.length - 1)] ?? '']))
  return [...text].map(char => table.get(char) ?? char).join('')
}

function characters(set: string): string[] | null {
  if (/[[\]\\]/.test(set)) return null
  return [...set.replace(/(.)-(.)/g, (_, first: string, last: string) => range(first, last))]
}

function range(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return to < from || to - from > 256
    ? first + last
    : String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i))
}

function bits(args: readonly { from: number }[]): number {
  return args.reduce((all, { from }) => all | from, 0)
}
