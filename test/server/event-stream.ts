import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { pageHeader, type TestServer } from './test-server.ts'

export interface Stream {
  status: number
  /** Every line received so far, except very long ones. */
  lines(): string[]
  ids(): number[]
  until(condition: () => boolean): Promise<void>
  ended: Promise<unknown>
  response: IncomingMessage
  request: ClientRequest
}

/** Opens an event stream with plain HTTP, authenticated by a token or by the headers. */
export async function openStream(
  { port }: Pick<TestServer, 'port'>,
  token: string | null,
  { path = '/api/events', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Stream> {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    agent: false,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      accept: 'text/event-stream',
      ...pageHeader(headers.cookie),
      ...headers,
    },
  })
  request.on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const lines: string[] = []
  let rest = ''
  let changed = Promise.withResolvers<void>()
  response.on('error', () => {})
  const ended = new Promise(resolve => response.on('close', resolve))
  response.on('data', bytes => {
    const parts = (rest + bytes).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) if (line.length < 5_000) lines.push(line)
    changed.resolve()
    changed = Promise.withResolvers()
  })
  const stream: Stream = {
    status: response.statusCode ?? 0,
    lines: () => lines,
    ids: () => lines.flatMap(line => (line.startsWith('id: ') ? [Number(line.slice(4))] : [])),
    async until(condition) {
      while (!condition()) await changed.promise
    },
    ended,
    response,
    request,
  }
  await stream.until(() => lines.length > 0)
  return stream
}
