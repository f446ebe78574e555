import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  json: unknown
}

/** One call, as a service of somebody else gets it. */
export interface Call {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent, for a test to look at
  json: any
  /** Resolves when the caller has gone. */
  gone: Promise<void>
}

const servers: Server[] = []
afterAll(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server of this machine that speaks somebody else's API, until the tests of the file are over. */
export async function startHttpServer(
  answer: (call: Call) => Reply | Promise<Reply>,
): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const { status = 200, headers = {}, json } = await answer(callOf(request, response, body))
    if (!response.destroyed)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function callOf(request: IncomingMessage, response: ServerResponse, body: string): Call {
  const json = /json/.test(request.headers['content-type'] ?? '') && body !== '' ? JSON.parse(body) : null
  const gone = new Promise<void>(resolve => response.on('close', resolve))
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, json, gone }
}

/** Waits until something is so, and looks again whenever something was noticed. */
export function createLooks() {
  const looks = new Set<() => void>()
  return {
    notice() {
      for (const look of looks) look()
    },
    until: <T>(look: () => T | undefined | false | null, what: string): Promise<T> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), 20_000)
        const check = () => {
          const found = look()
          if (!found) return
          clearTimeout(timer)
          looks.delete(check)
          resolve(found)
        }
        looks.add(check)
        check()
      }),
  }
}
