import type { ChatStore, LeasedPress } from '../hub/chat.ts'
import { describeSettlement } from '../notify/settlement.ts'
import { type AnswerInput, BeckonError, type HubApi, isTemporary, type Request } from '../protocol/index.ts'
import { answerable } from './answerable.ts'
import { readButton } from './buttons.ts'

/** What became of a press, and what the person who pressed is told. */
export interface PressResult {
  result: 'answered' | 'late' | 'unpaired' | 'forged' | 'gone' | 'not here' | 'refused'
  /** Whether this very call settled the request. */
  won: boolean
  reply: string
}

export interface PressContext {
  hub: Pick<HubApi, 'get' | 'answer'>
  chat: Pick<ChatStore, 'personOf' | 'sign'>
  /** The bot whose button was pressed, and the name of its target. */
  bot: string
  target: string
  /** How the outcome names it: `telegram`. */
  channel: string
}

type Press = Pick<LeasedPress, 'account' | 'button'>

/** Settles the request that the button belongs to, if the person who pressed may. The same press again changes nothing. */
export async function dealWithPress(press: Press, context: PressContext): Promise<PressResult> {
  const { hub, chat, bot, target, channel } = context
  const button = await readButton(bot, press.button, chat.sign)
  if (!button) return nothing('forged', 'this is not a button of Beckon.')
  const by = await chat.personOf(bot, press.account)
  if (by === null) {
    const how = `To answer here, run this where you are signed in: beckon notify pair ${target}`
    return nothing('unpaired', `this account is not paired with a person. ${how}`)
  }
  const request = await find(hub, button.request)
  if (!request) return nothing('gone', 'this request does not exist any more.')
  // Again, and not only when the message was written: the asker may have added a file, or somebody may have asked back.
  const asked = answerable(request)
  const label = asked?.options[button.option]
  if (!asked || label === undefined) {
    if (request.status !== 'pending') return late(request)
    return nothing('not here', 'this has to be answered on its page. Open the link in the message.')
  }
  return answer(hub, request.id, { answers: [{ id: asked.question, selected: [label] }], by, channel }, label)
}

/** A server that died after settling deals with the press again: the answer is a replay, and this person's own. */
async function answer(hub: PressContext['hub'], id: string, input: AnswerInput, label: string): Promise<PressResult> {
  try {
    const { won, replay, request } = await hub.answer(id, input)
    const isOwn = won || (replay && request.outcome?.by === input.by)
    return isOwn ? { result: 'answered', won, reply: `You answered: ${label}` } : late(request)
  } catch (error) {
    if (isTemporary(error) || !(error instanceof BeckonError)) throw error
    return nothing('refused', (error as BeckonError).message)
  }
}

async function find(hub: PressContext['hub'], id: string): Promise<Request | null> {
  try {
    return await hub.get(id)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'not_found') return null
    throw error
  }
}

function late(request: Request): PressResult {
  return { result: 'late', won: false, reply: `Too late, nothing was changed. ${describeSettlement(request)}.` }
}

function nothing(result: PressResult['result'], why: string): PressResult {
  return { result, won: false, reply: `Nothing was changed: ${why}` }
}
