import type { Analysis } from './interpret/analysis.ts'
import { type Argument, origins, unknownText } from './interpret/arguments.ts'
import { fileKey, fileStream } from './interpret/files.ts'
import { absolute } from './paths.ts'
import type { ProgramCall } from './program-call.ts'
import { isSecretPath } from './secret-paths.ts'
import { ownershipOf } from './secret-variables.ts'
import { dataSentBy, type SentData } from './sent-data.ts'
import { remoteHost } from './urls.ts'
import { writeTargets } from './write-targets.ts'

/** Follows data: remembers what was downloaded or copied, and reports secrets that leave the machine. */
export function checkDataFlows(call: ProgramCall, analysis: Analysis): void {
  rememberDownload(call)
  rememberCopy(call)
  reportRawSocket(call, analysis)
  const sent = dataSentBy(call)
  if (!sent) return
  const secret = secretBeingSent(call, sent)
  const variable = secret ? false : variableBeingSent(call, sent, analysis)
  const data = secret || variable ? false : dataBeingSent(call, sent)
  for (const [at, leak] of [
    [secret, secretSent],
    [variable, variableSent],
    [data, dataSent],
  ] as const) {
    if (at) analysis.report({ ...leak, span: at === true ? call.frame.span : at.span })
  }
}

const secretSent = {
  rule: 'secrets/sent-away',
  message: 'sends keys, passwords or the environment to another machine',
  verdict: 'ask',
  severity: 'critical',
  safer: null,
} as const
export const variableSent = {
  rule: 'secrets/variable-sent',
  message: 'sends a key or a password to a machine that it is not for',
  verdict: 'ask',
  severity: 'critical',
  safer: null,
} as const
const dataSent = {
  rule: 'network/data-sent',
  message: 'sends data of this machine, or files outside the workspace, to another machine',
  verdict: 'ask',
  severity: 'high',
  safer: null,
} as const

/** `curl -o x URL; sh x`: a downloaded file is as untrusted as a pipe from the network. */
function rememberDownload(call: ProgramCall): void {
  rememberFetchedCopy(call)
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

/** `scp host:x .; sh x` */
function rememberFetchedCopy({ program, operands, frame, cwd }: ProgramCall): void {
  if (!['scp', 'rsync', 'gsutil', 'rclone', 'aws'].includes(program)) return
  const [source, target] = operands.slice(-2)
  const at = source === undefined ? -1 : source.value.indexOf(':')
  if (!source || !target || at < 1 || /[:/]$/.test(source.value) || /^[^/]*:/.test(target.value)) return
  const name = source.value.slice(source.value.lastIndexOf('/') + 1).slice(source.value.includes('/') ? 0 : at + 1)
  const stream = { text: null, from: origins.network, pathPattern: null }
  for (const path of [target.value, `${target.value}/${name}`]) frame.scope.files.set(fileKey(path, cwd), stream)
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

function secretBeingSent(call: ProgramCall, sent: SentData): Argument | boolean {
  if (sent.stdin && call.stdin.from & origins.secret) return true
  return (
    [...sent.args, ...sent.credentials].find(arg => arg.from & origins.secret) ??
    sent.files.find(
      arg =>
        isSecretPath(absolute(arg.value, call.cwd) ?? arg.value) ||
        (call.frame.scope.files.size > 0 && fileStream(arg, call.frame.scope).from & origins.secret),
    ) ??
    false
  )
}

/** A variable named like a secret on its way to a machine that it is not for. */
function variableBeingSent(call: ProgramCall, sent: SentData, { variableOrigins }: Analysis): Argument | boolean {
  const hosts = sent.hosts.flatMap(remoteHost)
  if (hosts.length === 0) return false
  const isForeign = (from: number, isCredential: boolean) =>
    variableOrigins.namesIn(from).some(name =>
      hosts.some(host => {
        const owner = ownershipOf(name, host)
        return owner === 'foreign' || (owner === 'unknown' && !isCredential)
      }),
    )
  if (sent.stdin && isForeign(call.stdin.from, false)) return true
  return (
    sent.credentials.find(({ from }) => isForeign(from, true)) ??
    sent.args.find(({ from, value }) => isForeign(from, hasKeyParameter(value))) ??
    false
  )
}

/** Whether an address holds its key where services expect it: `?api_key=…`, `user:…@host`, `/bot…/`. */
function hasKeyParameter(url: string): boolean {
  return /[?&]([\w-]*(key|token|auth|secret|sig|signature|password)|appid|app_id|code)=\0|\/\/[^/]*\0[^/]*@|\/bot\0/i.test(
    url.slice(0, mostCharacters),
  )
}

/** No address is longer. */
const mostCharacters = 4_096

/** What tells of this machine in an address or a name to look up, or a file from outside the workspace. */
function dataBeingSent(call: ProgramCall, sent: SentData): Argument | boolean {
  const isFar = sent.hosts.some(host => remoteHost(host).length > 0)
  const mayBeFar = isFar || sent.hosts.some(({ value }) => value.startsWith(unknownText))
  const told = sent.args.find(arg => {
    if (!(arg.from & origins.machine)) return false
    // `ping $(hostname)` looks up this machine itself; `ping -p` and `whois` carry any text.
    if (!sent.isLookup) return isFar
    return remoteHost(arg).length > 0 || (isFar && !asksForName.test(call.program))
  })
  if (told) return told
  if (!mayBeFar) return false
  if (sent.stdin && call.stdin.from & origins.machine) return true
  const body = sent.body.find(arg => arg.from & origins.machine)
  return body ?? sent.files.find(arg => ['root', 'home', 'system', 'outside'].includes(call.pathClass(arg))) ?? false
}

const asksForName = /^(dig|kdig|drill|doggo|dog|delv|nslookup|host|resolvectl|getent)$/
