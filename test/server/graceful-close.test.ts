import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createGracefulClose } from '../../src/server/shutdown.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { openStream } from './event-stream.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

// If the server waited for the grace period, the test would never end.
const forever = 2 ** 31 - 1

async function start(): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'))
}

async function connection({ port }: Pick<TestServer, 'port'>, bytes = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

it('a closing server tells waiters to retry, ends its streams properly, and refuses new connections', async () => {
  const server = await start()
  const token = await server.token('answer')
  const { id } = await server.hub.raise(shipIt)
  const stream = await openStream(server, token)
  const waiting = call(server, 'GET', `/api/requests/${id}?wait=60`, { token })
  await expect.poll(async () => (await call(server, 'GET', '/metrics', { token })).text).toContain('waits_held 1')
  await server.stop()
  expect(await waiting).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
    json: { error: { code: 'closed' } },
  })
  await stream.ended
  // The stream was completed, not cut off.
  expect(stream.response.complete).toBe(true)
  await expect(call(server, 'GET', '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('a closing server does not wait for idle connections', async () => {
  const server = createServer((_, response) => response.end('fine'))
  const close = createGracefulClose(server, forever)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const silent = await connection({ port })
  const closed = once(silent, 'close')
  const asked = httpRequest({ agent, port, host: '127.0.0.1', path: '/' }).end()
  const [answered] = (await once(asked, 'response')) as [IncomingMessage]
  answered.resume()
  await once(answered, 'end')
  await Promise.all([close(), closed])
  agent.destroy()
})

it('a closing server answers the calls in progress, and then closes their connections', async () => {
  const server = await start()
  const token = await server.token('answer')
  const { id } = await server.hub.raise(shipIt)
  const body = '{"value":"yes"}'
  const head = `PUT /api/requests/${id}/answer HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\n`
  const socket = await connection(
    server,
    `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  await expect.poll(async () => (await call(server, 'GET', '/healthz')).status).toBe(200)
  const stopped = server.stop()
  socket.write(body)
  await once(socket, 'close')
  await stopped
  const text = Buffer.concat(parts).toString()
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  expect(text).toContain('"status":"answered"')
})
