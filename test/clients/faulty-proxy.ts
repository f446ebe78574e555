import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The hub carries the call out, and its reply is lost (`lose`), cut off within its body (`cut`), or replaced by that of a
 * proxy that has lost its patience (`give-up`). `hang`: nothing is sent back. Else what is sent instead.
 */
export type Fault =
  | 'lose'
  | 'cut'
  | 'give-up'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string }

/** What happens to a call, by its method, its path, and how many of the same kind came before; null: it passes. */
export type Plan = (method: string, path: string, nth: number) => Fault | null

export interface FaultyProxy {
  url: string
  /** `METHOD path` of every call, with ids left out. */
  calls: string[]
  close(): void
}

/** Stands between a client and a hub, and breaks calls as planned. */
export async function startFaultyProxy(hub: string, plan: Plan): Promise<FaultyProxy> {
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${(request.url ?? '').replace(/\?.*/, '').replace(/req_\w+/, 'ID')}`
    const nth = calls.filter(earlier => earlier === call).length
    calls.push(call)
    const fault = plan(request.method ?? '', call.split(' ')[1] ?? '', nth)
    if (fault === null || (typeof fault === 'string' && fault !== 'hang')) await forward(hub, request, response, fault)
    else if (fault !== 'hang') response.writeHead(fault.status, fault.headers).end(fault.body ?? '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function forward(hub: string, request: IncomingMessage, response: ServerResponse, fault: Fault | null) {
  const { hostname, port, host } = new URL(hub)
  const { method, url: path } = request
  const passed = httpRequest({ hostname, port, method, path, headers: { ...request.headers, host }, agent: false })
  // Who is cut off here tries again.
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
  passed.on('response', reply => {
    if (fault === 'lose') return reply.resume().on('end', () => response.destroy())
    if (fault === 'give-up')
      return reply.resume().on('end', () => response.writeHead(504).end('<h1>Gateway Timeout</h1>'))
    if (fault === 'cut') return reply.on('end', () => response.destroy()).on('data', cut(reply, response))
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    return reply.on('error', () => response.destroy()).pipe(response)
  })
}

/** Passes on the headers and the first ten bytes. */
function cut({ statusCode = 502, headers }: IncomingMessage, response: ServerResponse): (part: Buffer) => void {
  return part => {
    if (!response.headersSent) response.writeHead(statusCode, headers).write(part.subarray(0, 10))
  }
}
