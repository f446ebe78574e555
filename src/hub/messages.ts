import {
  BeckonError,
  limits,
  type Message,
  type MessageInput,
  type MessagesApi,
  messageInputSchema,
  type Request,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { isOfConversation } from '../rules/conversation.ts'
import { requestLock } from '../store/locks.ts'
import type { RequestRecord, StoredMessage } from '../store/records.ts'
import type { Store, View } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { notFound } from './not-found.ts'
import { toRequest } from './to-protocol.ts'
import { isAsker, isBrowser } from './value-owner.ts'

interface Options {
  store: Store
  caller: Caller
  /** Called after a person's message is stored; the call waits for it. */
  afterSending?: ((request: Request) => Promise<void>) | undefined
}

/**
 * Messages on a request that stays open: a person asks back, the asker replies. They decide nothing, move no deadline and
 * change nothing else about the request. What a person wrote is *heard* once the asker has confirmed that it took it.
 */
export function createMessages({ store, caller, afterSending = async () => {} }: Options): MessagesApi {
  return { send, unheard, confirm }

  async function send(id: string, input: MessageInput) {
    const { text, as: from = 'person', by } = parse(messageInputSchema, input)
    let sent: string | null = null
    const record = await store.change(async tx => {
      const record = await needRequest(tx, id)
      // The commit's acknowledgement was lost: this call has stored it already.
      if (sent !== null && record.messages.some(message => message.id === sent)) return record
      refuseSettled(record)
      if (from === 'agent') await refuseOthers(tx, record)
      else await refuseDeaf(tx, record)
      const author = from === 'agent' ? record.agent.name : (by ?? caller.user)
      if (isRepeated(record.messages, { from, by: author, text })) return record
      refuseTooMany(record, from)
      const now = await tx.now()
      sent ??= newId('msg', now)
      const at = new Date(now).toISOString()
      // The asker knows what it wrote itself.
      const heardAt = from === 'agent' ? at : null
      const message: StoredMessage = { id: sent, from, by: author, text, at, heardAt }
      const saved = await tx.saveMessages(id, [...record.messages, message])
      if (!saved) throw settledFault(await needRequest(tx, id))
      tx.append({ type: 'request.message', request: id, run: record.run, data: { message: message.id, from } })
      return saved
    }, requestLock(id))
    const request = toRequest(record)
    if (from === 'person') await afterSending(request)
    return request
  }

  async function unheard(id: string): Promise<Message[]> {
    const record = await store.read(view => needRequest(view, id))
    return unheardOf(record).map(({ heardAt: _, ...message }) => message)
  }

  async function confirm(id: string, last: string) {
    const record = await store.change(async tx => {
      const record = await needRequest(tx, id)
      if (isBrowser(caller)) throw notAsker(id)
      const end = record.messages.findIndex(message => message.id === last)
      if (end < 0) throw new BeckonError('not_found', `There is no message ${last} on ${id}.`)
      const heard = new Set(unheardOf(record).filter(message => record.messages.indexOf(message) <= end))
      if (heard.size === 0) return record
      const heardAt = new Date(await tx.now()).toISOString()
      const messages = record.messages.map(message => (heard.has(message) ? { ...message, heardAt } : message))
      // Once it is settled, the outcome is what the asker waits for.
      return (await tx.saveMessages(id, messages)) ?? record
    }, requestLock(id))
    return toRequest(record)
  }

  /** Nobody else writes in the name of the agent. */
  async function refuseOthers(view: View, record: RequestRecord): Promise<void> {
    if (!(await isAsker(view, record, caller))) throw notAsker(record.id)
  }
}

function notAsker(id: string): BeckonError {
  return new BeckonError('not_allowed', `Only the agent that asked ${id} can do that.`)
}

/** Messages of people that the asker did not take yet. */
export function unheardOf({ messages }: RequestRecord): StoredMessage[] {
  return messages.filter(({ from, heardAt }) => from === 'person' && heardAt === null)
}

async function needRequest(view: View, id: string): Promise<RequestRecord> {
  const record = await view.request(id)
  if (!record) throw notFound('request', id)
  return record
}

function refuseSettled(record: RequestRecord): void {
  if (record.status !== 'pending') throw settledFault(record)
}

function settledFault(record: RequestRecord): BeckonError {
  const { id, status, outcome } = record
  const message = `${id} is settled already: ${status} by ${outcome?.by} (${outcome?.channel}) at ${outcome?.at}.`
  return new BeckonError('settled_otherwise', message, { outcome, request: toRequest(record) })
}

/** A message that nobody takes would be lost without a word. */
async function refuseDeaf(view: View, record: RequestRecord): Promise<void> {
  const { id } = record
  if (record.canReply && !(await isAsleep(view, record))) return
  const why = record.canReply ? 'sleeps until its requests are decided' : 'cannot be asked back'
  throw new BeckonError(
    'not_allowed',
    `The agent that asked ${id} ${why}. Answer it, or decline it with your message as the reason.`,
  )
}

/** The built-in agent wakes to reply; every other one only when nothing of its run is open any more. */
async function isAsleep(view: View, { run: id, key }: RequestRecord): Promise<boolean> {
  const run = id === null ? null : await view.run(id)
  return run?.status === 'asleep' && !isOfConversation(key, run.session)
}

/**
 * A call that was cut off comes again. A person's message is the same with nothing after it; an agent's, as long as the
 * agent took no other message since.
 */
function isRepeated(messages: readonly StoredMessage[], sent: Pick<Message, 'from' | 'by' | 'text'>): boolean {
  const lastTaken = messages.findLastIndex(({ from, heardAt }) => from === 'person' && heardAt !== null)
  const recent = sent.from === 'person' ? messages.slice(-1) : messages.slice(lastTaken + 1)
  return recent.some(({ from, by, text }) => from === sent.from && by === sent.by && text === sent.text)
}

function refuseTooMany({ id, messages }: RequestRecord, from: Message['from']): void {
  const most = from === 'agent' ? limits.agentMessages : limits.personMessages
  if (messages.filter(message => message.from === from).length < most) return
  const who = from === 'agent' ? 'its agent' : 'people'
  throw new BeckonError('not_allowed', `${id} has ${most} messages of ${who} already, which is the limit.`)
}
