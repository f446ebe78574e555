import type { Analysis } from './interpret/analysis.ts'
import { type Argument, origins } from './interpret/arguments.ts'
import { fileKey, fileStream } from './interpret/files.ts'
import type { ProgramCall } from './program-call.ts'
import { isSecretPath } from './secret-paths.ts'
import { writeTargets } from './write-targets.ts'

/** Follows data: remembers what was downloaded or copied, and reports secrets that leave the machine. */
export function checkDataFlows(call: ProgramCall, analysis: Analysis): void {
  rememberDownload(call)
  rememberCopy(call)
  reportRawSocket(call, analysis)
  const leaving = secretBeingSent(call)
  if (!leaving) return
  analysis.report({
    rule: 'secrets/sent-away',
    message: 'sends keys, passwords or the environment to another machine',
    span: leaving === true ? call.frame.span : leaving.span,
    verdict: 'ask',
    severity: 'critical',
    safer: null,
  })
}

/** `curl -o x URL; sh x`: a downloaded file is as untrusted as a pipe from the network. */
function rememberDownload(call: ProgramCall): void {
  if (!['curl', 'wget', 'aria2c'].includes(call.program)) return
  const names = writeTargets(call).map(({ value }) => value)
  const urls = [...call.operands, ...call.values('--url')].map(({ value }) => value)
  if (names.length === 0 && (call.program === 'wget' || call.has('-O', '--remote-name'))) {
    for (const url of urls)
      names.push(
        url
          .replace(/[?#].*$/s, '')
          .split('/')
          .at(-1) || 'index.html',
      )
  }
  for (const name of names) {
    call.frame.scope.files.set(fileKey(name, call.cwd), { text: null, from: origins.network, pathPattern: null })
  }
}

/** `tee x`, `cp a x`: x now holds what stdin or a held. */
function rememberCopy(call: ProgramCall): void {
  const { scope } = call.frame
  if (call.program === 'tee') {
    for (const { value } of call.operands) scope.files.set(fileKey(value, call.cwd), call.stdin)
  } else if (call.program === 'cp' || call.program === 'mv') {
    const [source, target] = call.operands
    if (source && target) scope.files.set(fileKey(target.value, call.cwd), fileStream(source, scope))
  }
}

/** `bash -i >& /dev/tcp/…` hands over a shell; `echo > /dev/tcp/…` only tests the port. */
function reportRawSocket({ program, args, stdin, frame }: ProgramCall, analysis: Analysis): void {
  const [target] = args
  if (!program.startsWith('>') || !target || !/^\/dev\/(tcp|udp)\//.test(target.value) || stdin.text !== null) return
  analysis.report({
    rule: 'network/raw-socket',
    message: 'connects a program on this machine directly to another machine',
    span: target.span[0] === target.span[1] ? frame.span : target.span,
    verdict: 'ask',
    severity: 'critical',
    safer: null,
  })
}

function secretBeingSent(call: ProgramCall): Argument | boolean {
  const sent = dataSentBy(call)
  if (!sent) return false
  if (sent.stdin && call.stdin.from & origins.secret) return true
  return (
    sent.args.find(arg => arg.from & origins.secret) ?? sent.files.find(({ value }) => isSecretPath(value)) ?? false
  )
}

/** What a program sends: text in its arguments, files that they name, stdin. */
interface SentData {
  args: readonly Argument[]
  files: readonly Argument[]
  stdin: boolean
}

const bodyOptions = [
  '-d',
  '--data',
  '--data-binary',
  '--data-raw',
  '--data-urlencode',
  '--data-ascii',
  '--json',
  '-F',
  '--form',
]

function dataSentBy(call: ProgramCall): SentData | null {
  const { operands } = call
  switch (call.program) {
    case 'curl': {
      const data = call.values(...bodyOptions)
      const named = data.flatMap(arg => filesNamedIn(arg))
      return {
        args: [...data, ...operands, ...call.values('-H', '--header', '-b', '--cookie', '-A', '-e')],
        files: [...named, ...call.values('-T', '--upload-file')],
        stdin: readsStdin(call, named),
      }
    }
    case 'wget':
      return {
        args: [...operands, ...call.values('--post-data', '--body-data')],
        files: call.values('--post-file', '--body-file'),
        stdin: false,
      }
    case 'http':
    case 'https':
    case 'xh':
      return { args: operands, files: operands.flatMap(arg => filesNamedIn(arg)), stdin: true }
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'socat':
    case 'telnet':
    case 'mail':
    case 'mailx':
    case 'mutt':
    case 'sendmail':
    case 'openssl':
    case 'wormhole':
    case 'croc':
    case 'transfer':
      return call.program === 'openssl' && !call.isSub('s_client')
        ? null
        : { args: operands, files: operands, stdin: true }
    case 'ssh':
      return { args: operands, files: [], stdin: true }
    case 'dig':
    case 'nslookup':
    case 'host':
    case 'ping':
      return { args: operands, files: [], stdin: false }
    case 'scp':
    case 'rsync':
    case 'sftp':
    case 'ftp':
    case 'rclone':
    case 'gsutil':
    case 's3cmd':
    case 'azcopy':
      return hasHost(operands.at(-1)) ? { args: [], files: operands.slice(0, -1), stdin: true } : null
    case 'aws':
      return call.isSub('s3') && hasHost(operands.at(-1))
        ? { args: [], files: operands.slice(2, -1), stdin: true }
        : null
    case 'gh':
      return call.isSub('gist create') ? { args: [], files: operands.slice(2), stdin: true } : null
    case '>':
    case '>>':
      return /^\/dev\/(tcp|udp)\//.test(operands[0]?.value ?? '') ? { args: [], files: [], stdin: true } : null
    default:
      return null
  }
}

function readsStdin(call: ProgramCall, named: readonly Argument[]): boolean {
  return (
    named.some(({ value }) => value === '-') ||
    call.values('-T', '--upload-file', '-K').some(({ value }) => value === '-' || value === '.')
  )
}

/** The files in `@file`, `name=@file`, `name=<file`. */
function filesNamedIn(arg: Argument): Argument[] {
  const match = /^(?:[^=@]*=)?[@<]([^;]+)/.exec(arg.value)
  return match?.[1] === undefined ? [] : [{ ...arg, value: match[1] }]
}

function hasHost(arg: Argument | undefined): boolean {
  return /^[^/\\]*:/.test(arg?.value ?? '')
}
