import { hash } from 'node:crypto'
import type { AskInput } from '../../protocol/ask.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { limits } from '../../protocol/limits.ts'
import type { OnMessage } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import { waitAndListen } from '../../rules/listening.ts'

export interface AskingOptions {
  /** The name of the conversation: the same again after a restart, another for every other one. */
  thread: string
  /** The name of the agent, as people see it. */
  agent?: string
  /** The directory that the agent works in; else the program's. Keys belong to it. */
  cwd?: string
  /** The run of `beckon run` that the program works in. */
  run?: string
  /** How long a person has, such as '2h'; none by default. Nobody's answer is never a yes. */
  timeout?: string | number
  /** Stops the waiting. What was asked stays open, and the same call takes it up again. */
  signal?: AbortSignal
  /** Given, people can ask back before they decide: it gets each message once, with a way to reply. */
  onMessage?: OnMessage
}

/** The hub, and what every ask of one conversation has in common. */
export interface Asking {
  readonly hub: HubApi
  readonly thread: string
  readonly cwd: string
  readonly timeout: string | number | undefined
  readonly signal: AbortSignal | undefined
  /** The framework's own signal that the call will not happen: what waits for an answer then is withdrawn. */
  readonly ended: AbortSignal | undefined
  readonly onMessage: OnMessage | undefined
  readonly common: { session: string; run: string | null; agent: { name: string; cwd: string }; canReply: boolean }
}

export function asking(hub: HubApi, options: AskingOptions, framework: string, ended?: AbortSignal): Asking {
  const { thread, agent = framework, cwd = process.cwd(), run = null, timeout, signal, onMessage } = options
  const common = { session: shortName(thread), run, agent: { name: agent, cwd }, canReply: onMessage !== undefined }
  return { hub, thread, cwd, timeout, signal, ended, onMessage, common }
}

/** The same parts are the same ask, also after a restart. */
export function keyOf({ thread, common }: Asking, ...parts: readonly string[]): string {
  const key = [common.agent.name, thread, ...parts].join('/')
  return isLine(key, limits.key) ? key : hash('sha256', key, 'base64url')
}

/** A name as the hub takes it. */
export function shortName(name: string): string {
  return isLine(name, limits.name) ? name : hash('sha256', name, 'base64url')
}

/** Stores the ask, or takes up the one with this key, and waits until it is settled. */
export async function raiseAndWait(asking: Asking, ask: AskInput): Promise<Request> {
  return waitUntilSettled(asking, await asking.hub.raise(ask))
}

export async function waitUntilSettled({ hub, signal, ended, onMessage }: Asking, request: Request): Promise<Request> {
  if (request.status !== 'pending') return request
  const signals = [signal, ended].filter(one => one !== undefined)
  try {
    return await waitAndListen(hub, request.id, {
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      ...(onMessage ? { onMessage } : {}),
    })
  } catch (error) {
    if (ended?.aborted) await hub.cancel(request.id, { reason: 'The agent does not need it any more.' })
    throw error
  }
}

function isLine(text: string, length: number): boolean {
  return text.trim() === text && text !== '' && text.length <= length && /^[\x20-\x7e]+$/.test(text)
}
