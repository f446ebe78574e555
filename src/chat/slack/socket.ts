import * as z from 'zod'
import type { ChatStore } from '../../hub/chat.ts'
import { ApiError } from '../call-api.ts'
import type { Bot } from '../listeners.ts'
import type { ChatLog } from '../log.ts'
import { pause, pauseAfter } from '../retry.ts'
import { callSlack } from './api.ts'
import { takeFromSlack } from './take.ts'

// Socket Mode: the hub opens a WebSocket to Slack, so that Slack needs no way to the hub. Slack ends each connection after a
// while, and says so before; then the next one is opened before this one is closed.

interface Options {
  chat: ChatStore
  onPress: () => void
  log: ChatLog
  /** Milliseconds after which a connection is replaced: nobody tells us of one that died in silence. */
  longest?: number
}

const envelopeSchema = z.union([
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('disconnect'), reason: z.string().default('disconnect') }),
  z.object({ envelope_id: z.string(), payload: z.unknown(), accepts_response_payload: z.boolean().optional() }),
])

// Slack sends the rest of what it has for the old connection.
const overlap = 10_000

/** A target with the token that opens connections. */
interface SlackApp {
  name: string
  url: string
  appToken: string
}

export async function listenToSlack(bot: Bot, app: SlackApp, signal: AbortSignal, options: Options): Promise<void> {
  const { log, longest = 5 * 60_000 } = options
  const { url, appToken, name } = app
  let failures = 0
  while (!signal.aborted) {
    try {
      const opened = await callSlack(url, appToken, 'apps.connections.open', {}, signal)
      const socket = new WebSocket(String(opened.url))
      const reason = await untilReplaced(socket)
      closeLater(socket)
      if (reason === 'link_disabled') throw new ApiError('Slack: Socket Mode is switched off for this app')
      if (reason === 'closed') throw new ApiError('Slack closed the connection')
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      if (failures === 2) log.warn({ target: name, finding: findingOf(error) }, 'cannot listen to Slack; trying again')
      await pause(pauseAfter(error, failures), signal)
    }
  }

  /** Why the next connection should be opened. */
  async function untilReplaced(socket: WebSocket): Promise<string> {
    const replaced = Promise.withResolvers<string>()
    // Slack may never reply to the end of a connection, and nobody waits for that.
    const close = () => {
      socket.close()
      replaced.resolve('closed')
    }
    signal.addEventListener('abort', close)
    const timer = setTimeout(() => replaced.resolve('old'), longest)
    socket.addEventListener('close', () => replaced.resolve('closed'))
    socket.addEventListener('error', () => replaced.reject(new ApiError('Slack: the connection failed')))
    socket.addEventListener('message', event => {
      take(socket, event.data).then(
        reason => reason !== null && replaced.resolve(reason),
        // Not acknowledged: Slack says so to the person who pressed, and they press again.
        error => log.warn({ error, target: name }, 'what Slack sent was not stored'),
      )
    })
    try {
      return await replaced.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', close)
    }
  }

  /** Why the connection should be replaced, where Slack says so. */
  async function take(socket: WebSocket, data: unknown): Promise<string | null> {
    const { data: envelope } = envelopeSchema.safeParse(parse(data))
    if (envelope === undefined) return null
    if ('envelope_id' in envelope) {
      const payload = await takeFromSlack(bot, envelope.payload, options)
      const response = payload && envelope.accepts_response_payload ? { payload } : {}
      socket.send(JSON.stringify({ envelope_id: envelope.envelope_id, ...response }))
      return null
    }
    if (envelope.type === 'disconnect') return envelope.reason
    if (failures > 1) log.info({ target: name }, 'listening to Slack again')
    failures = 0
    return null
  }

  function closeLater(socket: WebSocket) {
    const close = () => socket.close()
    const timer = setTimeout(close, overlap)
    timer.unref()
    signal.addEventListener('abort', close)
    socket.addEventListener('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', close)
    })
  }
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}

function findingOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
