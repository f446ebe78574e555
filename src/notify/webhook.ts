import { createHmac } from 'node:crypto'
import type { Request, Run } from '../protocol/index.ts'
import type { Channel, ChannelOptions } from './channel.ts'
import { type Message, severityOf } from './message.ts'
import { type Delivery, post } from './post.ts'
import { short } from './title.ts'

interface Webhook {
  url: string
  secret: string | null
}

/** JSON with a signature that covers the time, so that a captured message cannot be replayed much later. */
export function openWebhook(target: Webhook, { fetch, now }: ChannelOptions): Channel {
  return { send: message => post(buildWebhook(target, message, now()), fetch) }
}

export function buildWebhook(target: Webhook, message: Message, now: number): Delivery {
  return sign(target, { ...message, document: bodyOf(message) }, now)
}

interface Signed {
  id: string
  event: string
  document: object
}

export function sign({ url, secret }: Webhook, message: Signed, now: number): Delivery {
  const body = JSON.stringify(message.document)
  const time = Math.floor(now / 1_000)
  const headers = {
    'content-type': 'application/json',
    'x-beckon-event': message.event,
    'x-beckon-delivery': message.id,
    'idempotency-key': message.id,
    ...(secret ? { 'x-beckon-signature': `t=${time},v1=${hmac(secret, `${time}.${body}`)}` } : {}),
  }
  return { url, headers, body }
}

function bodyOf({ event, id, at, title, about, settlement, link }: Message): object {
  const run = about && !('kind' in about) ? runOf(about, title) : null
  return {
    event,
    id,
    at,
    request: about && 'kind' in about ? { ...requestOf(about, title), ...(settlement ? { settlement } : {}) } : null,
    ...(run ? { run } : {}),
    url: link.url,
  }
}

function requestOf(request: Request, title: string): object {
  const { id, kind, status, run, deadline, agent, place, outcome } = request
  return {
    id,
    kind,
    title,
    run,
    deadline,
    severity: severityOf(request),
    status,
    agent: short(agent.name),
    user: place ? short(place.user) : null,
    host: place?.host ? short(place.host) : null,
    directory: short(agent.cwd, 300),
    ...(outcome ? { by: short(outcome.by), channel: short(outcome.channel) } : {}),
  }
}

function runOf({ id, name, reason, exitCode }: Run, title: string): object {
  return { id, name: short(name), title, reason: short(reason ?? '', 300), exitCode }
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
