import type { LeasedEvent } from '../hub/program-outbox.ts'
import type { Fetch, SendResult } from './channel.ts'
import { type Delivery, post } from './post.ts'
import { programMessage } from './program-message.ts'
import { sign } from './webhook.ts'

export interface ProgramOptions {
  inbox: string
  now: () => number
  fetch?: Fetch | undefined
  /** Calls the addresses of askers; without it, nobody is called. */
  callBack?: ((delivery: Delivery) => Promise<SendResult>) | undefined
}

/** Sends an event to a webhook that chose it, or calls an asker with the id and the status of its request. */
export async function sendToProgram(leased: LeasedEvent, options: ProgramOptions): Promise<SendResult> {
  const { target, about } = leased
  const { inbox, now, fetch, callBack } = options
  if (target.kind === 'webhook') {
    return post(sign(target, { ...leased, document: programMessage(leased, inbox) }, now()), fetch)
  }
  if (target.kind !== 'callback' || !callBack) return refused('this server calls nobody')
  // The asker fetches the answer itself, with its token.
  return callBack(sign(target, { ...leased, document: { id: about.id, status: about.status } }, now()))
}

function refused(finding: string): SendResult {
  return { result: 'refused', finding, reply: '', retryAfter: null }
}
