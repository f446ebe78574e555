import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent, for a test to look at
  json: any
}

export interface Receiver {
  url: string
  received: Received[]
  /** How it replies from now on. */
  reply: (response: ServerResponse, received: Received, count: number) => void
  /** Once so many have come. */
  came(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** PEM; its own authority. */
export interface Certificate {
  cert: string
  key: string
}

const open: Receiver[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(receiver => receiver.close()))
})

/** A real server that people's messages are sent to. */
export async function startReceiver(status = 200, port = 0, tls: Certificate | null = null): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const json = /json/.test(request.headers['content-type'] ?? '') ? JSON.parse(body.toString()) : null
    const one = { path: request.url ?? '', headers: request.headers, body, json }
    receiver.received.push(one)
    receiver.reply(response, one, receiver.received.length)
    for (const look of waiting) look()
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    received: [],
    reply: response => response.writeHead(status).end(),
    came: count =>
      new Promise(resolve => {
        const look = () => {
          if (receiver.received.length < count) return
          waiting.delete(look)
          resolve(receiver.received)
        }
        waiting.add(look)
        look()
      }),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  open.push(receiver)
  return receiver
}
