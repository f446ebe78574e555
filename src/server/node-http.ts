import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request } from '../protocol/index.ts'
import type { Call } from './access/call.ts'
import { replyTo } from './errors.ts'
import { apiHeaders } from './route-context.ts'

// Calls and replies of plain Node, for what goes past the app.

export function send(response: ServerResponse, request: Request): void {
  sendJson(response, 200, request)
}

export function fail(response: ServerResponse, error: unknown): void {
  const { status, headers, body } = replyTo(error)
  if (response.headersSent) return void response.destroy()
  sendJson(response, status, body, headers)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  document: object,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify(document)
  response.writeHead(status, {
    ...apiHeaders,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export function callOf({ method = '', headers, socket }: IncomingMessage): Call {
  return {
    method,
    remote: socket.remoteAddress ?? '',
    header: name => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    },
  }
}
