import { type Argument, literal } from './interpret/arguments.ts'
import type { ProgramCall } from './program-call.ts'
import { list } from './word-list.ts'

/** What a program sends to other machines, and to which; null if it sends nothing. */
export function dataSentBy(call: ProgramCall): SentData | null {
  const sender = Object.hasOwn(senders, call.program) ? senders[call.program] : undefined
  const sent = sender?.(call) ?? null
  return sent && { ...nothing, ...sent }
}

export interface SentData {
  /** Addresses or names of the machines; empty if it does not matter which they are. */
  hosts: readonly Argument[]
  /** Text that the other machine sees. */
  args: readonly Argument[]
  /** Text where a service expects a key: the header Authorization, the password of a user. */
  credentials: readonly Argument[]
  /** Those of `args` that are a body, which services store. */
  body: readonly Argument[]
  files: readonly Argument[]
  stdin: boolean
  /** It only looks up a name: `dig`, `ping`. */
  isLookup: boolean
}

type Sender = (call: ProgramCall) => Partial<SentData> | null

const nothing: SentData = { hosts: [], args: [], credentials: [], body: [], files: [], stdin: false, isLookup: false }

const bodyOptions = list(
  '-d --data --data-binary --data-raw --data-urlencode --data-ascii --json -F --form --form-string',
)
const keyHeader = /^((proxy-)?authorization|cookie|[\w-]*(token|key|secret|auth)[\w-]*)\s*[:=]/i

const curl: Sender = call => {
  const proxies = call.values('-x', '--proxy', '--preproxy')
  const urls = [...call.operands, ...call.values('--url'), ...urlsOnStdin(call, '-K', '--config')]
  const hosts = [...urls, ...proxies]
  const body = call.values(...bodyOptions)
  const named = body.flatMap(filesNamedIn)
  const headers = call.values('-H', '--header')
  return {
    hosts,
    args: [
      ...body,
      ...urls,
      ...headers.filter(({ value }) => !keyHeader.test(value)),
      ...call.values('-A', '--user-agent', '-e', '--referer', '-X', '--request'),
    ],
    credentials: [
      ...proxies,
      ...headers.filter(({ value }) => keyHeader.test(value)),
      ...call.values('-u', '--user', '-b', '--cookie', '--oauth2-bearer', '-U', '--proxy-user'),
    ],
    body,
    files: [...named, ...call.values('-T', '--upload-file')].filter(({ value }) => value !== '-' && value !== '.'),
    stdin: readsStdin(call, named),
  }
}

/** `curl -K -` and `wget -i -` read addresses from stdin. */
function urlsOnStdin({ args, stdin, frame }: ProgramCall, ...options: readonly string[]): Argument[] {
  const reads = args.some(({ value }, i) => options.includes(value) && args[i + 1]?.value === '-')
  const url = reads ? /[a-z]+:\/\/[^\s"']+/i.exec(stdin.text ?? '')?.[0] : undefined
  return url === undefined ? [] : [{ ...literal(url, frame.span), from: stdin.from }]
}

const wget: Sender = call => {
  const urls = [...call.operands, ...urlsOnStdin(call, '-i', '--input-file')]
  const body = call.values('--post-data', '--body-data')
  const headers = call.values('--header')
  return {
    hosts: urls,
    args: [
      ...urls,
      ...body,
      ...headers.filter(({ value }) => !keyHeader.test(value)),
      ...call.values('-U', '--user-agent', '--referer'),
    ],
    credentials: [
      ...headers.filter(({ value }) => keyHeader.test(value)),
      ...call.values('--user', '--password', '--http-user', '--http-password'),
    ],
    body,
    files: call.values('--post-file', '--body-file'),
  }
}

const httpie: Sender = call => {
  const { operands } = call
  const at = /^[a-z]+$/i.test(operands[0]?.value ?? '') && operands.length > 1 ? 1 : 0
  const items = operands.slice(at + 1)
  const keys = items.filter(({ value }) => /^[\w-]+:(?!=)/.test(value) && keyHeader.test(value))
  return {
    hosts: operands.slice(at, at + 1),
    args: operands.filter(arg => !keys.includes(arg)),
    credentials: [...keys, ...call.values('-a', '--auth', '-A', '--auth-type')],
    body: items,
    files: items.flatMap(filesNamedIn),
    stdin: true,
  }
}

/** The first operand is the machine; stdin, and files that are named, go there. */
const socket: Sender = call => ({
  hosts: call.operands.slice(0, 1),
  args: call.operands,
  files: socketFiles(call),
  stdin: true,
})

/** To whom mail goes, or a parcel, does not matter. */
const parcel: Sender = ({ args, operands }) => ({ args: operands, files: args, stdin: true })

const lookup: Sender = ({ args }) => ({ hosts: args.filter(({ value }) => !/^[-+]/.test(value)), args, isLookup: true })

/** The last operand is the machine: `scp a b host:`. */
const copy: Sender = ({ operands }) => (hasHost(operands.at(-1)) ? { files: operands.slice(0, -1), stdin: true } : null)

/** Text and files that a person or an agent posts where others read them. */
const post: Sender = call => {
  if (!/^(issue|pr|mr|gist|snippet|discussion|release|api|incident)$/.test(call.operands[0]?.value ?? '')) return null
  return {
    hosts: [literal(call.program === 'glab' ? 'gitlab.com' : 'github.com', call.frame.span)],
    args: call.args,
    files: /^(gist (create|edit|new)|snippet create)$/.test(`${call.operands[0]?.value} ${call.operands[1]?.value}`)
      ? call.args.slice(2)
      : call.values('-F', '--body-file'),
    stdin: true,
  }
}

const message: Sender = ({ args }) => ({ args, files: args, stdin: true })

const senders: Readonly<Record<string, Sender>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  nc: socket,
  ncat: socket,
  netcat: socket,
  telnet: socket,
  socat: call => ({ hosts: socketHosts(call), args: call.operands, files: socketFiles(call), stdin: true }),
  openssl: call => (call.isSub('s_client') ? { hosts: call.args.slice(1), args: call.args, stdin: true } : null),
  mail: parcel,
  mailx: parcel,
  mutt: parcel,
  neomutt: parcel,
  sendmail: parcel,
  msmtp: parcel,
  swaks: parcel,
  sendemail: parcel,
  wormhole: parcel,
  'magic-wormhole': parcel,
  croc: parcel,
  transfer: parcel,
  ffsend: parcel,
  'onionshare-cli': parcel,
  ipfs: parcel,
  tftp: parcel,
  smbclient: ({ args }) => ({ args, files: args.flatMap(putFiles), stdin: true }),
  'mega-put': parcel,
  megaput: parcel,
  'dropbox_uploader.sh': parcel,
  pastebinit: parcel,
  wgetpaste: parcel,
  fpaste: parcel,
  gist: parcel,
  ssh: ({ operands }) => ({ args: operands, stdin: true }),
  dig: lookup,
  kdig: lookup,
  drill: lookup,
  doggo: lookup,
  dog: lookup,
  delv: lookup,
  nslookup: lookup,
  host: lookup,
  resolvectl: lookup,
  getent: lookup,
  ping: lookup,
  ping6: lookup,
  fping: lookup,
  hping3: lookup,
  nping: lookup,
  traceroute: lookup,
  tracepath: lookup,
  mtr: lookup,
  whois: lookup,
  finger: lookup,
  scp: copy,
  rsync: copy,
  sftp: copy,
  ftp: copy,
  rclone: copy,
  gsutil: copy,
  s3cmd: copy,
  azcopy: copy,
  mc: ({ operands }) =>
    /^(cp|mv|put|mirror)$/.test(operands[0]?.value ?? '') ? { files: operands.slice(1, -1), stdin: true } : null,
  aws: call => {
    if (call.isSub('s3'))
      return hasHost(call.operands.at(-1)) ? { files: call.operands.slice(2, -1), stdin: true } : null
    return /^(sns|sqs|ses|sesv2|events|kinesis)$/.test(call.operands[0]?.value ?? '') ? { args: call.args } : null
  },
  gcloud: ({ operands }) =>
    operands[0]?.value === 'storage' && hasHost(operands.at(-1)) ? { files: operands.slice(2, -1), stdin: true } : null,
  git: call => {
    const hosts = call.operands.filter(({ value }) => /^https?:\/\//.test(value))
    const sends = /^(clone|push|fetch|pull|ls-remote|remote|submodule)$/.test(call.operands[0]?.value ?? '')
    return sends && hosts.length > 0 ? { hosts, credentials: hosts } : null
  },
  gh: post,
  glab: post,
  hub: post,
  ntfy: message,
  mosquitto_pub: message,
  'telegram-send': message,
  'slack-cli': message,
  logger: call => (call.has('-n', '--server') ? message(call) : null),
  'redis-cli': call => (call.has('-h', '-u') ? message(call) : null),
  '>': deviceFile,
  '>>': deviceFile,
}

function deviceFile({ operands: [target] }: ProgramCall): Partial<SentData> | null {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target?.value ?? '')?.[1]
  return target && host !== undefined ? { hosts: [{ ...target, value: host }], stdin: true } : null
}

/** The files in `put a b`. */
function putFiles(arg: Argument): Argument[] {
  return /\bm?put\s/.test(arg.value) ? arg.value.split(/[\s;]+/).map(value => ({ ...arg, value })) : []
}

/** `FILE:/home/me/x` of socat, and plain names. */
function socketFiles({ operands }: ProgramCall): Argument[] {
  return operands.flatMap(arg => {
    const file = /^(?:file|open|gopen):([^,]+)/i.exec(arg.value)?.[1]
    return file === undefined ? [] : [{ ...arg, value: file }]
  })
}

/** `TCP:example.com:80` of socat. */
function socketHosts({ operands }: ProgramCall): Argument[] {
  return operands.flatMap(arg => {
    const host = /^(?:tcp|udp|openssl|ssl)\d?(?:-connect)?:([^:,]+)/i.exec(arg.value)?.[1]
    return host === undefined ? [] : [{ ...arg, value: host }]
  })
}

function readsStdin(call: ProgramCall, named: readonly Argument[]): boolean {
  return (
    named.some(({ value }) => value === '-') ||
    call.values('-T', '--upload-file', '-K').some(({ value }) => value === '-' || value === '.')
  )
}

/** The files in `@file`, `name=@file`, `name=<file`, `name@file`. */
function filesNamedIn(arg: Argument): Argument[] {
  const match = /^(?:[^=@<]*=|[\w.-]*(?=@))?[@<]([^;]+)/.exec(arg.value)
  return match?.[1] === undefined ? [] : [{ ...arg, value: match[1] }]
}

function hasHost(arg: Argument | undefined): boolean {
  return /^[^/\\]*:/.test(arg?.value ?? '')
}
