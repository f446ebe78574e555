import { variableSent } from '../data-flows.ts'
import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, literal } from '../interpret/arguments.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import { isSecretPath } from '../secret-paths.ts'
import { sendsForeignVariable } from './sent-variables.ts'
import type { Skeleton } from './skeleton.ts'

/** Reports code in another language that sends secrets to other machines, or runs what they send. */
export function checkNetworkUse(skeleton: Skeleton, code: Argument, frame: Frame, analysis: Analysis): void {
  const { text, strings } = skeleton
  if (sendsForeignVariable(skeleton, code.value)) analysis.report({ ...variableSent, span: code.span })
  const names = new Set(strings.map(string => string.replace(/^node:/, '')))
  const namesSecret = strings.some(string => !/\s/.test(string) && isSecretPath(string))
  const usesSocket = opensSocket.test(text) || ['net', 'tls', 'dgram', 'socket'].some(name => names.has(name))
  const readsSecret = readsFile.test(text) && namesSecret
  const sends =
    sendsData.test(text) ||
    (/\bfetch\s*\(|\.request\s*\(/.test(text) && strings.some(string => /^(post|put|patch)$/i.test(string)))
  if ((sends && (wholeEnvironment.test(text) || readsSecret)) || (usesSocket && namesSecret && writesData.test(text))) {
    analysis.report({
      rule: 'secrets/sent-away',
      message: 'sends keys, passwords or the environment to another machine',
      span: code.span,
      verdict: 'ask',
      severity: 'critical',
      safer: null,
    })
  }
  if (
    frame.shown &&
    /\b(print|console\.log|puts|echo|say|stdout|readfile|var_dump|print_r|printf|pp)\b/.test(text) &&
    readsSecret
  ) {
    analysis.report({
      rule: 'secrets/shown',
      message: 'prints keys or passwords, and the model sees them',
      span: code.span,
      verdict: 'ask',
      severity: 'medium',
      safer: null,
    })
  }
  const fetches =
    ['http', 'https', 'axios', 'node-fetch'].some(name => names.has(name)) && /\.(get|request)\s*\(/.test(text)
  const runsIt = /(?<![\w.])eval\s*\(|\(\s*eval\s*\)|new\s+Function|\.runInThisContext|\._compile\s*\(/.test(text)
  const handsOver = (names.has('net') || names.has('tls')) && names.has('child_process')
  const asked = /\bfetch\s*\(/.test(text) && /\(\s*eval\s*\)/.test(text)
  if ((fetches && runsIt) || asked || handsOver || strings.some(string => string.startsWith('/inet/'))) {
    reportRemoteCode(code, frame, analysis)
  }
  if (/\bos\.kill(pg)?\s*\(\s*-?1\s*,/.test(text)) {
    analysis.runProgram(
      ['kill', '-9', '1'].map(word => literal(word, code.span)),
      frame,
    )
  }
}

const readsFile = /\bopen\s*\(|readFile|\.read\b|read_text|read_bytes|file_get_contents|readfile|readlines|slurp/
/** Whatever writes to a socket may write to a file, too; with the name of a secret beside it, one asks. */
const opensSocket =
  /\bsocket\b|create_connection|open_connection|TCPSocket|UDPSocket|TCPServer|IO::Socket|fsockopen|stream_socket_client|socket_create|\bnet\.(?:connect|createConnection|Socket|Dial)|gen_tcp|gen_udp|\bSockets\b|TcpStream|\bmake\.socket|socketConnection|\bconnectTo\b|tls\.connect|\bftplib\b|\bparamiko\b|\bpysftp\b|\bWebSocket\b|Net::(?:FTP|SFTP|SCP|SMTP)/
const writesData =
  /(?<!\w)(?:send\w*|\w*write\w*|print\w*|say|puts|pipe|end|syswrite|copy_stream|stream_copy_to_stream|copyfileobj|fputs|fpassthru|stor\w*|put\w*|upload\w*|io\.Copy)\b/i
const sendsData =
  /\b(requests|httpx|axios|got|superagent|session|client)\.(post|put|patch)\s*\(|\)\.(post|put|patch)\s*\(|urlopen\s*\([^;]*\bdata\s*=|urlopen\s*\(\s*(?:«\d+»|\w+)\s*,(?!\s*(?:timeout|context|cafile)\s*=)|Net::HTTP\.post|\bsmtplib\b|\.sendall\s*\(|curl_setopt|stream_context_create|LWP::UserAgent/
/** The whole environment; using a single variable is common. */
const wholeEnvironment =
  /\bos\.environ\b(?!\s*(\.get\b|\[))|\bprocess\.env\b(?!\s*(\.\w|\[|\?))|(?<![\w.])ENV\b(?!\s*(\[|\.fetch))|%ENV\b|\$_ENV\b(?!\[)/
