import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Addresses } from './access/addresses.ts'
import { HttpFault, type Reply, replyTo } from './errors.ts'
import { fail } from './node-http.ts'
import { apiHeaders } from './route-context.ts'

// What two readers could understand in two ways is refused, so that a proxy and we never take it for different calls.
const onlyOnce = ['host', 'authorization', 'origin', 'content-type', 'idempotency-key', 'last-event-id']

/** Refuses a call that is not one plain call, before anybody asks who sent it. */
export function refuseOddCall(request: IncomingMessage, addresses: Addresses): void {
  const { rawHeaders, headers } = request
  if (headers.host === undefined) throw odd('There is no Host.')
  if (!addresses.knowsHost(headers.host) && !isHost(headers.host)) throw odd('The Host is none.')
  if (!request.url?.startsWith('/')) request.url = pathWithin(request.url ?? '', headers.host)
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const index = onlyOnce.indexOf((rawHeaders[i] as string).toLowerCase())
    if (index < 0) continue
    if (seen & (1 << index)) throw odd(`${onlyOnce[index]} is there more than once.`)
    seen |= 1 << index
  }
}

/** A stream and what is no call at all is answered in JSON, too; Node itself would say nothing or little. */
export function answerWhatIsNoCall(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A reply that was begun must not be followed by another.
    const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null }
    if (!socket.writable || error.code === 'ECONNRESET' || underWay?.headersSent) return void socket.destroy()
    socket.end(written(replyTo(faultOf(error.code ?? ''))))
  })
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.end(written(replyTo(new HttpFault(405, 'not_allowed', 'This is no proxy.'))))
  })
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    fail(response, new HttpFault(417, 'unsupported', 'Nothing else is expected here than 100-continue.'))
  })
}

/** Whether it is a name and a port, and nothing that could be read as more. */
function isHost(host: string): boolean {
  const url = `http://${host}`
  return URL.canParse(url) && new URL(url).host === host.toLowerCase().replace(/:80$/, '')
}

/** An address with a host is as good as its path, as long as both say the same host. */
function pathWithin(url: string, host: string): string {
  const whole = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null
  if (!whole || whole.host !== host.toLowerCase()) throw odd('Send a path, as in GET /api/requests.')
  return whole.pathname + whole.search
}

function odd(message: string): HttpFault {
  return new HttpFault(400, 'invalid', message)
}

function faultOf(code: string): HttpFault {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpFault(431, 'too_large', 'The address and headers are too large.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new HttpFault(413, 'too_large', 'The chunks are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpFault(408, 'invalid', 'It took too long to be sent.')
  return odd('This is no HTTP call.')
}

function written({ status, headers, body }: Reply): string {
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
