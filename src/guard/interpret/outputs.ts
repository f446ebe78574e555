import type { ProgramCall } from '../program-call.ts'
import { isSecretPath } from '../secret-paths.ts'
import { trimEnd } from '../trim-end.ts'
import { origins, texts, unknownText } from './arguments.ts'
import { decodeBase64, decodeHex, unescapeText } from './decode.ts'
import { fileStream } from './files.ts'
import { foundPathPattern } from './find-paths.ts'
import { freshFolder } from './fresh-folder.ts'
import { emptyStream, type Stream, streamOf, unknownStream } from './streams.ts'
import { formatPrintf, reverseLines, translate } from './text-filters.ts'

/** What a program writes, as far as its arguments and stdin tell. */
export function outputOf(call: ProgramCall): Stream {
  const model = Object.hasOwn(outputModels, call.program) ? outputModels[call.program] : undefined
  if (model) return model(call)
  return call.operands.some(({ value }) => printsSetup.test(value)) ? emptyStream : passSecrets(call)
}

/** Any program that reads a secret may write it: tar, gzip, sort, openssl. */
function passSecrets(call: ProgramCall): Stream {
  const secret = call.args.some(({ value }) => isSecretPath(value)) ? origins.secret : 0
  const from = call.args.reduce((bits, arg) => bits | arg.from, call.stdin.from | secret)
  return from === 0 ? unknownStream : { text: null, from, pathPattern: null }
}

/** `source <(kubectl completion bash)`: code of the program's own for a shell. */
const printsSetup =
  /^(completions?|shell-completion|gen-completions|generate-shell-completion|shellenv|shell-init|hook)$/

type OutputModel = (call: ProgramCall) => Stream

const fromNetwork: OutputModel = () => ({ text: null, from: origins.network, pathPattern: null })
const printsEnvironment: OutputModel = () => ({ text: null, from: origins.secret, pathPattern: null })
const tellsOfMachine: OutputModel = () => ({ text: null, from: origins.machine, pathPattern: null })
const nothing: OutputModel = () => emptyStream

const outputModels: Record<string, OutputModel> = {
  ':': nothing,
  true: nothing,
  sleep: nothing,
  echo: ({ args }) => {
    const escapes = args[0] && /^-[neE]*e[neE]*$/.test(args[0].value)
    const words = args.filter(({ value }, i) => !(i < 2 && /^-[neE]+$/.test(value)))
    const text = `${texts(words).join(' ')}\n`
    return streamOf(escapes ? unescapeText(text) : text, originsOf(words))
  },
  printf: ({ args }) => {
    const words = args.filter(({ value }, i) => !(i === 0 && value === '--'))
    return streamOf(formatPrintf(words[0]?.value ?? '', texts(words.slice(1))), originsOf(words))
  },
  cat: passFiles,
  tac: passFiles,
  head: passFiles,
  tail: passFiles,
  tee: ({ stdin }) => stdin,
  base64: call => decodeInput(call, ['-d', '-D', '--decode'], decodeBase64),
  base32: call => decodeInput(call, [], decodeBase64),
  basenc: call => decodeInput(call, [], decodeBase64),
  od: call => decodeInput(call, [], decodeHex),
  hexdump: call => decodeInput(call, [], decodeHex),
  xxd: call => decodeInput(call, ['-r'], decodeHex),
  openssl: call =>
    call.isSub('enc') || call.isSub('base64') ? decodeInput(call, ['-d'], decodeBase64) : passSecrets(call),
  rev: ({ stdin }) => ({ ...stdin, text: stdin.text === null ? null : reverseLines(stdin.text) }),
  tr: ({ stdin, operands }) => ({
    ...stdin,
    text: stdin.text === null ? null : translate(stdin.text, operands[0]?.value ?? '', operands[1]?.value ?? ''),
  }),
  sed: ({ stdin }) => ({ text: null, from: stdin.from, pathPattern: stdin.pathPattern }),
  grep: passPathPattern,
  sort: passPathPattern,
  uniq: passPathPattern,
  curl: call => ({ text: null, from: originsOf(call.args) | call.stdin.from | origins.network, pathPattern: null }),
  wget: fromNetwork,
  http: fromNetwork,
  https: fromNetwork,
  xh: fromNetwork,
  aria2c: fromNetwork,
  lynx: fromNetwork,
  fetch: fromNetwork,
  'invoke-webrequest': fromNetwork,
  'invoke-restmethod': fromNetwork,
  iwr: fromNetwork,
  irm: fromNetwork,
  nc: fromNetwork,
  dig: fromNetwork,
  whoami: tellsOfMachine,
  id: tellsOfMachine,
  hostname: tellsOfMachine,
  uname: call => (call.has('-a', '--all') ? tellsOfMachine(call) : unknownStream),
  ifconfig: tellsOfMachine,
  ps: tellsOfMachine,
  who: tellsOfMachine,
  history: tellsOfMachine,
  pbpaste: tellsOfMachine,
  'wl-paste': tellsOfMachine,
  mongodump: tellsOfMachine,
  mongoexport: tellsOfMachine,
  env: printsEnvironment,
  printenv: printsEnvironment,
  find: call => ({ text: null, from: 0, pathPattern: foundPathPattern(call) }),
  fd: call => ({
    text: null,
    from: 0,
    pathPattern: `${call.operands[1]?.value ?? '.'}/${call.operands[0]?.value ?? ''}*`,
  }),
  ls: ({ operands }) => {
    const [folder] = operands
    if (!folder) return { text: null, from: 0, pathPattern: './*' }
    return { text: null, from: 0, pathPattern: folder.glob ? folder.value : `${folder.value}/*` }
  },
  mktemp: () => streamOf(freshFolder),
  pwd: ({ cwd }) => streamOf(cwd ?? unknownText),
  which: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  type: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  realpath: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  readlink: ({ operands }) => streamOf(operands[0]?.value ?? ''),
  dirname: ({ operands, cwd }) => {
    const path = operands[0]?.value ?? ''
    // `$(dirname "$0")` is the folder of the script that is written or run here.
    if (path === 'sh' || path === '/bin/bash' || path === unknownText)
      return streamOf(path === unknownText ? unknownText : (cwd ?? '.'))
    const at = trimEnd(path, '/').lastIndexOf('/')
    return streamOf(at < 0 ? '.' : path.slice(0, at) || '/')
  },
  basename: ({ operands }) =>
    streamOf(
      trimEnd(operands[0]?.value ?? '', '/')
        .split('/')
        .at(-1) ?? '',
    ),
  git: call => {
    if (call.isSub('rev-parse') && call.has('--show-toplevel')) return streamOf(call.context.workspace)
    if (call.isSub('rev-parse') && call.has('--git-dir')) return streamOf('.git')
    if (call.isSub('config')) return tellsOfMachine(call)
    if (call.isSub('ls-files') || call.isSub('diff') || call.isSub('grep'))
      return { text: null, from: 0, pathPattern: './src/*.x' }
    return unknownStream
  },
  // A dump of MySQL drops every table before it creates it; one of PostgreSQL does with --clean.
  mysqldump: dumpWithDrops,
  'mariadb-dump': dumpWithDrops,
  mysqlpump: call => (call.has('--add-drop-table', '--add-drop-database') ? dropsEachTable : tellsOfMachine(call)),
  pg_dump: call => (call.has('-c', '--clean') ? dropsEachTable : tellsOfMachine(call)),
  pg_dumpall: call => (call.has('-c', '--clean') ? dropsEachTable : tellsOfMachine(call)),
  psql: generatedStatements,
  mysql: generatedStatements,
  mariadb: generatedStatements,
  sqlite3: generatedStatements,
  'manage.py': call => (call.isSub('sqlflush') ? streamOf('TRUNCATE ALL') : unknownStream),
  // Programs whose output is meant for eval.
  'ssh-agent': nothing,
  direnv: nothing,
  brew: call => (call.isSub('shellenv') ? emptyStream : unknownStream),
  pyenv: nothing,
  rbenv: nothing,
  nodenv: nothing,
  jenv: nothing,
  fnm: nothing,
  mise: nothing,
  asdf: nothing,
  opam: nothing,
  starship: nothing,
  zoxide: nothing,
  dircolors: nothing,
  conda: nothing,
  mamba: nothing,
  minikube: call => (call.operands[0]?.value === 'docker-env' ? emptyStream : unknownStream),
  'docker-machine': call => (call.isSub('env') ? emptyStream : unknownStream),
  lesspipe: nothing,
  thefuck: nothing,
  atuin: nothing,
  'register-python-argcomplete': nothing,
  luarocks: call => (call.isSub('path') ? emptyStream : unknownStream),
  keychain: nothing,
  resize: nothing,
}

function passFiles(call: ProgramCall): Stream {
  const { operands, stdin, frame } = call
  const files = operands.filter(({ value }) => value !== '-' && !/^[+-]?\d+[a-zA-Z]?$/.test(value))
  if (files.length === 0) return stdin
  const [first] = files
  if (files.length === 1 && first) return fileStream(first, frame.scope)
  const secret = files.some(({ value }) => isSecretPath(value)) ? origins.secret : 0
  return { text: null, from: originsOf(files) | secret, pathPattern: null }
}

const dropsEachTable = streamOf('DROP TABLE IF EXISTS every_table;', origins.machine)

function dumpWithDrops(call: ProgramCall): Stream {
  const without = ['--skip-add-drop-table', '--skip-opt', '--compact', '--no-create-info', '-t', '--xml', '-X']
  return call.has(...without) && !call.has('--add-drop-table') ? tellsOfMachine(call) : dropsEachTable
}

/** `SELECT 'DROP TABLE ' || name …` is a query that generates statements. */
function generatedStatements({ args }: ProgramCall): Stream {
  const made = args.flatMap(({ value }) => value.match(/'\s*(?:drop|truncate|delete|alter)\b[^']*/gi) ?? [])
  return made.length > 0 ? streamOf(made.map(text => `${text.slice(1)} x;`).join('\n')) : unknownStream
}

function passPathPattern(call: ProgramCall): Stream {
  const { stdin, operands } = call
  const isFilter = call.program !== 'grep' || operands.length < 2
  return { text: null, from: stdin.from, pathPattern: isFilter ? stdin.pathPattern : null }
}

function decodeInput(call: ProgramCall, flags: readonly string[], decode: (text: string) => string | null): Stream {
  const files = call.operands.filter(({ value }) => !['enc', 'base64', '-'].includes(value))
  const streams = files.map(file => fileStream(file, call.frame.scope))
  const [stream = call.stdin] = streams
  const from = streams.reduce((all, one) => all | one.from, stream.from)
  // Encoding a text of the command itself is common, as for `Authorization: Basic`; a file in another encoding is on its way out.
  if (!call.has(...flags))
    return { text: null, from: stream.text === null ? from | origins.machine : from, pathPattern: null }
  const text = stream.text === null ? null : decode(stream.text)
  return { text: text === null ? unknownText : text, from, pathPattern: null }
}

function originsOf(args: readonly { from: number }[]): number {
  return args.reduce((all, { from }) => all | from, 0)
}
