import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Addresses } from './access/addresses.ts'
import { HttpFault, type Reply, replyTo } from './errors.ts'
import { fail } from './node-http.ts'
import { apiHeaders } from './route-context.ts'

// A call that can be read in two ways is refused, so that a proxy and we never take it for different calls.
const onlyOnce = ['host', 'authorization', 'origin', 'content-type', 'idempotency-key', 'last-event-id']

/** Refuses an ambiguous call before anything else looks at it. */
export function refuseAmbiguousCall(request: IncomingMessage, addresses: Addresses): void {
  const { rawHeaders, headers } = request
  if (headers.host === undefined) throw malformed('The Host header is missing.')
  if (!addresses.knowsHost(headers.host) && !isHost(headers.host))
    throw malformed('The Host header is not a host name.')
  if (!request.url?.startsWith('/')) request.url = pathWithin(request.url ?? '', headers.host)
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const index = onlyOnce.indexOf((rawHeaders[i] as string).toLowerCase())
    if (index < 0) continue
    if (seen & (1 << index)) throw malformed(`The header ${onlyOnce[index]} is sent more than once.`)
    seen |= 1 << index
  }
}

/** Answers in JSON where Node itself would say little or nothing. */
export function answerMalformedCalls(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A reply that was begun must not be followed by another.
    const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null }
    if (!socket.writable || error.code === 'ECONNRESET' || underWay?.headersSent) return void socket.destroy()
    socket.end(rawReply(replyTo(faultOf(error.code ?? ''))))
  })
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.end(rawReply(replyTo(new HttpFault(405, 'not_allowed', 'This server is not a proxy.'))))
  })
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    fail(response, new HttpFault(417, 'unsupported', 'The only expectation supported is 100-continue.'))
  })
}

/** Whether it is a name and perhaps a port, and nothing that could be read as more. */
function isHost(host: string): boolean {
  const url = `http://${host}`
  return URL.canParse(url) && new URL(url).host === host.toLowerCase().replace(/:80$/, '')
}

/** A whole address is as good as its path, as long as it names the same host. */
function pathWithin(url: string, host: string): string {
  const whole = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null
  if (!whole || whole.host !== host.toLowerCase()) throw malformed('Send a path, as in GET /api/requests.')
  return whole.pathname + whole.search
}

function malformed(message: string): HttpFault {
  return new HttpFault(400, 'invalid', message)
}

function faultOf(code: string): HttpFault {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpFault(431, 'too_large', 'The address and headers are too large.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new HttpFault(413, 'too_large', 'The chunks are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpFault(408, 'invalid', 'The call took too long to arrive.')
  return malformed('This is not an HTTP call.')
}

function rawReply({ status, headers, body }: Reply): string {
  const text = JSON.stringify(body)
  const all = {
    ...apiHeaders,
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
}
