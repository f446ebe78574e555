import { hash } from 'node:crypto'
import type { ChatStore, ChatTarget } from '../hub/chat.ts'
import { readButton } from './buttons.ts'
import { dealWithPress, type PressContext, type PressResult } from './deal-with-press.ts'
import { isSignedBySlack } from './slack/signature.ts'
import { takeFromSlack } from './slack/take.ts'

// Where chats call the hub, if it has an address that they can reach: Slack for an app without Socket Mode, and phones on
// which somebody pressed a button of ntfy. A call proves itself; tokens and cookies of Beckon have no part in it.

interface CallbackCall {
  method: string
  /** Without the query. */
  path: string
  header(name: string): string | undefined
  body(): Promise<Buffer>
}

interface CallbackReply {
  status: number
  headers?: Record<string, string>
  body: string
  /** The caller proved nothing, and is slowed down. */
  isForged?: boolean
}

export type AnswerCallback = (call: CallbackCall) => Promise<CallbackReply>

interface Options {
  hub: PressContext['hub']
  chat: ChatStore
  onPress: () => void
  now?: () => number
}

/** Beside the button itself: the page of ntfy may call this from its own origin, as a phone does. */
const fromAnyPage = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'beckon-button',
  'cross-origin-resource-policy': 'cross-origin',
}
const buttonHeader = 'beckon-button'

export function createCallbacks(options: Options): AnswerCallback {
  const { chat, now = Date.now } = options
  return async call => {
    const [, kind, name = ''] = /^\/chat\/(slack|ntfy)\/([^/]{1,600})$/.exec(call.path) ?? []
    if (kind === undefined) return { status: 404, body: 'There is no such address.' }
    if (kind === 'ntfy' && call.method === 'OPTIONS') return { status: 204, headers: fromAnyPage, body: '' }
    // What is opened, prefetched or previewed settles nothing.
    if (call.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: 'Only POST is accepted here.' }
    const targets = await chat.targets()
    const target = targets.find(one => one.target.kind === kind && one.target.name === decoded(name))
    return kind === 'slack' ? fromSlack(call, target, targets) : fromNtfy(call, target)
  }

  async function fromSlack(call: CallbackCall, target: ChatTarget | undefined, all: ChatTarget[]) {
    const secret = target?.target.kind === 'slack' ? target.target.signingSecret : null
    const body = await call.body()
    const timestamp = call.header('x-slack-request-timestamp')
    const signature = call.header('x-slack-signature')
    if (!target || !secret || !isSignedBySlack(secret, { body, timestamp, signature, now: now() })) return forged
    const bot = { id: target.bot, targets: all.filter(({ bot }) => bot === target.bot) }
    const reply = await takeFromSlack(bot, payloadOf(body), options)
    if (reply === null) return { status: 200, body: '' }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(reply) }
  }

  /** The button proves itself before anything is stored: everybody can call this. It works once. */
  async function fromNtfy(call: CallbackCall, target: ChatTarget | undefined): Promise<CallbackReply> {
    const button = call.header(buttonHeader) ?? ''
    if (!target || !(await readButton(target.bot, button, chat.sign))) return { ...forged, headers: fromAnyPage }
    const { id, bot, target: open } = target
    const account = '*'
    const isNew = await chat.takePress({
      id: hash('sha256', `${id} ${button}`),
      target: id,
      account,
      button,
      place: {},
    })
    options.onPress()
    const result = await dealWithPress({ account, button }, { ...options, bot, target: open.name, channel: open.kind })
    const isUsed = !isNew && !result.won
    const body = isUsed && result.result === 'answered' ? 'This button was used before.' : result.reply
    return { status: isUsed ? 409 : statuses[result.result], headers: fromAnyPage, body }
  }
}

const forged: CallbackReply = { status: 403, body: 'This call does not prove where it comes from.', isForged: true }

const statuses: Record<PressResult['result'], number> = {
  answered: 200,
  late: 409,
  unpaired: 403,
  forged: 403,
  gone: 410,
  'not here': 409,
  refused: 409,
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}

/** A press is a field of the form that Slack sends; a command is the form itself. */
function payloadOf(body: Buffer): unknown {
  const form = new URLSearchParams(body.toString('utf8'))
  const payload = form.get('payload')
  if (payload === null) return Object.fromEntries(form)
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
