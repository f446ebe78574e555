import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { call, sendBytes, startServer, type TestServer } from './serving.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'), options)
}

/** The lines of a call, with what every one has. */
function lines(server: TestServer, token: string, first: string, more: string[] = [], body = ''): string {
  const usual = [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${token}`]
  return `${[first, ...usual, ...more].join('\r\n')}\r\n\r\n${body}`
}

function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

function bodyOf(text: string) {
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
}

describe('what is no plain call', () => {
  it('is refused in JSON, whatever is wrong with it, and the connection is closed', async () => {
    const server = await start()
    const token = await server.token('answer')
    const host = `Host: 127.0.0.1:${server.port}`
    const odd: [string, number][] = [
      ['NONSENSE\r\n\r\n', 400],
      ['GET /healthz HTTP/9.9\r\n\r\n', 400],
      [`GET /healthz HTTP/1.1\n${host}\n\n`, 400],
      [`GET /healthz HTTP/1.1\r\n${host}\r\nX: a\r\n b\r\n\r\n`, 400],
      [`GET /healthz HTTP/1.1\r\n${host}\r\nContent-Length : 5\r\n\r\n`, 400],
      [`GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
      [`GET /healthz HTTP/1.0\r\n\r\n`, 400],
      [`OPTIONS * HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, 400],
      [`GET http://evil.example/healthz HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, 400],
      [`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`, 405],
      [`GET /healthz HTTP/1.1\r\n${host}\r\nExpect: cake\r\nConnection: close\r\n\r\n`, 417],
      [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`, 431],
      [`GET /healthz HTTP/1.1\r\n${host}\r\n${'X: 0123456789\r\n'.repeat(5_000)}\r\n`, 431],
      [lines(server, token, 'GET /api/events HTTP/1.0', ['Accept: text/event-stream']), 505],
    ]
    for (const [bytes, status] of odd) {
      const text = await sendBytes(server, bytes)
      expect([bytes.slice(0, 60), statuses(text)]).toEqual([bytes.slice(0, 60), [status]])
      expect(bodyOf(text).error).toMatchObject({ code: expect.any(String), message: expect.any(String), details: null })
      expect(text).toMatch(/cache-control: no-store/i)
    }
  })

  it('says what it is addressed to once, in one way', async () => {
    const server = await start()
    const token = await server.token('answer')
    const { id } = await server.hub.raise(shipIt)
    const twice: [string, string][] = [
      ['Host', 'evil.example'],
      ['Host', `127.0.0.1:${server.port}`],
      ['Authorization', 'Bearer other'],
      ['Content-Type', 'text/plain'],
    ]
    for (const [name, value] of twice) {
      const first = `PUT /api/requests/${id}/answer HTTP/1.1`
      const body = '{"value":"yes"}'
      const usual = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close']
      const text = await sendBytes(server, lines(server, token, first, [...usual, `${name}: ${value}`], body))
      expect([name, statuses(text)]).toEqual([name, [400]])
    }
    expect((await server.hub.get(id)).status).toBe('pending')
    const whole = `GET http://127.0.0.1:${server.port}/api/requests HTTP/1.1`
    expect(statuses(await sendBytes(server, lines(server, token, whole, ['Connection: close'])))).toEqual([200])
  })

  it('knows its own names in whatever form, and nothing that only looks like them', async () => {
    const server = await start()
    const token = await server.token('answer')
    const status = async (host: string) =>
      (await call(server, 'GET', '/api/requests', { token, headers: { host } })).status
    for (const host of [`127.0.0.1:${server.port}`, `[::1]:${server.port}`, `LocalHost:${server.port}`]) {
      expect([host, await status(host)]).toEqual([host, 200])
    }
    const { port } = server
    const strange = [`me@127.0.0.1:${port}`, `127.0.0.1:${port}@evil.example`, `127.0.0.1:${port}/`, '[::1', '']
    for (const host of [...strange, `127.0.0.1:0${port}`, `127.0.0.1.:${port}`, `evil.example, 127.0.0.1:${port}`]) {
      const text = await sendBytes(server, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect([host, statuses(text), bodyOf(text).error.code]).toEqual([host, [400], 'invalid'])
    }
    for (const host of [`[::2]:${port}`, `0.0.0.0:${port}`, '127.0.0.1', 'evil.example', 'evil.example:80']) {
      expect([host, await status(host)]).toEqual([host, 421])
    }
  })
})

describe('a call hidden within another', () => {
  it('is not seen, wherever a length is told in two ways', async () => {
    const server = await start()
    const token = await server.token('answer')
    const { id } = await server.hub.raise(shipIt)
    const body = '{"value":"yes"}'
    const usual = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const hidden = lines(server, token, `PUT /api/requests/${id}/answer HTTP/1.1`, usual, body)
    const json = 'Content-Type: application/json'
    const covers: string[][] = [
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      ['Content-Length: 4', `Content-Length: ${hidden.length}`],
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding: chunked, identity'],
      ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked', 'Content-Length: 4'],
      ['Content-Length: +4'],
      ['Content-Length: 0x4'],
      ['Content-Length: 4, 5'],
    ]
    for (const cover of covers) {
      const outer = lines(server, token, 'POST /api/requests HTTP/1.1', [json, ...cover], '0\r\n\r\n')
      expect([cover, statuses(await sendBytes(server, outer + hidden))]).toEqual([cover, [400]])
    }
    expect(await server.hub.get(id)).toMatchObject({ status: 'pending' })
    expect((await server.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('sent behind another has to say for itself who it is, and is answered in its turn', async () => {
    const server = await start()
    const token = await server.token('answer')
    const host = `Host: 127.0.0.1:${server.port}`
    const first = lines(server, token, 'GET /api/session HTTP/1.1')
    const second = `GET /api/session HTTP/1.1\r\n${host}\r\n\r\n`
    const third = lines(server, token, 'GET /api/requests HTTP/1.1', ['Connection: close'])
    expect(statuses(await sendBytes(server, first + second + third))).toEqual([200, 401, 200])
  })

  it('does not become another protocol', async () => {
    const server = await start()
    const token = await server.token('answer')
    for (const protocol of ['websocket', 'h2c']) {
      const more = ['Connection: Upgrade, close', `Upgrade: ${protocol}`, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
      expect(statuses(await sendBytes(server, lines(server, token, 'GET /api/events HTTP/1.1', more)))).toEqual([200])
    }
  })
})

describe('a caller that takes its time', () => {
  it.each([
    ['says nothing', () => ''],
    ['never ends its headers', (server: TestServer) => `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-`],
    [
      'never ends its body',
      (server: TestServer, token: string) =>
        lines(
          server,
          token,
          'POST /api/requests HTTP/1.1',
          ['Content-Type: application/json', 'Content-Length: 9'],
          '{',
        ),
    ],
  ])('and %s is shown out', async (_, bytes) => {
    const server = await start({ timeouts: { headers: 40, all: 60 } })
    const socket = connect(server.port, '127.0.0.1')
    const parts: Buffer[] = []
    socket.on('data', part => parts.push(part))
    socket.write(bytes(server, await server.token('ask')))
    await once(socket, 'close')
    const text = Buffer.concat(parts).toString()
    expect([statuses(text), bodyOf(text).error.code]).toEqual([[408], 'invalid'])
    expect(server.hub).toBeDefined()
  })

  it('but has sent all of its call is not hurried: the wait may be long', async () => {
    const server = await start({ timeouts: { headers: 40, all: 60 } })
    const { id } = await server.hub.raise(shipIt)
    const token = await server.token('answer')
    const { status, json } = await call(server, 'GET', `/api/requests/${id}?wait=0.4`, { token })
    expect([status, json.status]).toEqual([200, 'pending'])
  })
})

describe('what was packed', () => {
  it('is not unpacked, so that nothing small becomes large', async () => {
    const server = await start()
    const token = await server.token('ask')
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip']) {
      const headers = { 'content-encoding': encoding, 'content-length': String(bomb.length) }
      const text = await sendBytes(
        server,
        lines(
          server,
          token,
          'POST /api/requests HTTP/1.1',
          [
            'Content-Type: application/json',
            'Connection: close',
            ...Object.entries(headers).map(pair => pair.join(': ')),
          ],
          bomb.toString('latin1'),
        ),
      )
      expect([encoding, statuses(text)]).toEqual([encoding, [415]])
    }
    expect(
      (
        await call(server, 'POST', '/api/requests', {
          token,
          body: shipIt,
          headers: { 'content-encoding': 'identity' },
        })
      ).status,
    ).toBe(201)
  })
})
