import type { IncomingMessage, ServerResponse } from 'node:http'
import { ask, type SettlingVerb, settle } from './ask-and-settle.ts'
import { callOf, sendJson } from './node-http.ts'
import { parseJson } from './read-json.ts'
import type { Parts } from './route-context.ts'

export type Way = (request: IncomingMessage, response: ServerResponse) => Promise<void>

// Larger ones, and those of unknown length, go the usual way, where they are counted as they are read.
const mostBytes = 1024 * 1024

/** Asking and settling, which is what a busy server does, without the app around it. Null for all other calls. */
export function createQuickWay(parts: Parts): (request: IncomingMessage) => Way | null {
  const { admission } = parts
  return ({ method, url = '', headers }) => {
    if (!(Number(headers['content-length']) <= mostBytes)) return null
    if (method === 'POST' && url === '/api/requests') return asking
    return method === 'PUT' && settling.test(url) ? deciding : null
  }

  async function asking(request: IncomingMessage, response: ServerResponse) {
    const call = callOf(request)
    const [visitor, text] = await Promise.all([admission.admit(call), textOf(request)])
    const asked = { bytes: text.length, read: () => parseJson(text), key: call.header('idempotency-key') }
    const spoken = await ask(parts, visitor, asked)
    sendJson(response, spoken.status, spoken.request, spoken.headers)
  }

  async function deciding(request: IncomingMessage, response: ServerResponse) {
    const [, id = '', verb] = settling.exec(request.url ?? '') ?? []
    const [visitor, text] = await Promise.all([admission.admit(callOf(request)), textOf(request)])
    const spoken = await settle(parts, visitor, verb as SettlingVerb, id, parseJson(text))
    sendJson(response, spoken.status, spoken.request, spoken.headers)
  }
}

const settling = /^\/api\/requests\/([\w-]+)\/(answer|skip|decline|cancel)$/

/** Its length was announced, and Node reads no more than that. */
function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', reject)
    request.on('end', () => resolve(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString()))
  })
}
