import type { PushKeys } from '../hub/sealing.ts'
import type { Message } from './message.ts'

// A channel sends messages to one target, in the form that the target shows best. `send` returns a handle where the
// message can be changed later: the outbox stores it and, once the request is settled, passes it to `update`. A channel
// without `update` gets the message that the request is settled by `send`, as a follow-up.

export interface Channel {
  send(message: Message): Promise<SendResult>
  update?(handle: string, message: Message): Promise<SendResult>
}

/** `gone`: the address does not exist any more. `reply` is what came back, for people who test a target. */
export type SendResult =
  | { result: 'delivered'; finding: string; reply: string; handle: string | null }
  | { result: 'refused' | 'gone'; finding: string; reply: string; retryAfter: number | null }

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What a channel uses of the outside world. */
export interface ChannelOptions {
  now: () => number
  fetch?: Fetch | undefined
  /** Where push services complain. */
  inbox: string
  pushKeys: () => Promise<PushKeys>
  env?: NodeJS.ProcessEnv | undefined
  platform?: NodeJS.Platform
}
