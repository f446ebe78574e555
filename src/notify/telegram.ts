import type { Channel, ChannelOptions, SendResult } from './channel.ts'
import { factLine } from './facts.ts'
import { linkText } from './link.ts'
import { headline, type Message } from './message.ts'
import { post } from './post.ts'

interface TelegramBot {
  /** Of the bot API: https://api.telegram.org */
  url: string
  /** The token of the bot. */
  secret: string | null
  /** The id of the chat. */
  channel?: string
}

/** A bot in a chat: `sendMessage`, and `editMessageText` once the request is settled. */
export function openTelegram({ url, secret, channel }: TelegramBot, { fetch }: ChannelOptions): Channel {
  return {
    send: message =>
      call('sendMessage', { chat_id: channel, disable_notification: message.urgency === 'low' }, message),

    async update(handle, message) {
      const updated = await call('editMessageText', JSON.parse(handle), message)
      // It says so already, or somebody deleted it.
      const isOver =
        updated.result === 'refused' &&
        /message (is not modified|to edit not found|can't be edited)/.test(updated.reply)
      return isOver ? { ...updated, result: 'delivered', handle: null } : updated
    },
  }

  async function call(method: string, place: object, message: Message): Promise<SendResult> {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ ...place, ...telegramContent(message) })
    const posted = await post({ url: `${url.replace(/\/$/, '')}/bot${secret}/${method}`, headers, body }, fetch)
    const { ok, description, parameters, result } = read(posted.reply)
    if (posted.result === 'delivered' && ok === true && result) {
      return { ...posted, handle: JSON.stringify({ chat_id: result.chat.id, message_id: result.message_id }) }
    }
    const retryAfter = parameters?.retry_after === undefined ? null : parameters.retry_after * 1_000
    const finding = description ? `${posted.finding}: ${description}` : posted.finding
    return { result: 'refused', finding, reply: posted.reply, retryAfter }
  }
}

/** The agent's text is marked as code, in which Telegram finds no links, mentions, commands and formatting. */
function telegramContent(message: Message): object {
  const { heading, facts, link, answering } = message
  const entities: object[] = []
  let text = ''
  const add = (part: string, type?: 'bold' | 'code') => {
    if (type && part !== '') entities.push({ type, offset: text.length, length: part.length })
    text += part
  }
  if (heading) add(`${heading}:`, 'bold')
  add(heading ? ' ' : '')
  add(headline(message), 'code')
  add('\n')
  if (facts.length > 0) {
    add(factLine(facts), 'code')
    add('\n')
  }
  if (answering?.text) {
    add(answering.text, 'code')
    add('\n')
  }
  add(linkText(link))
  return { text, entities, link_preview_options: { is_disabled: true }, ...keyboardOf(message) }
}

/** A button a row. Telegram opens links from buttons only where everybody can reach them; the link stands in the text, too. */
function keyboardOf({ answering, link, settlement }: Message): object {
  if (settlement !== null) return {}
  const options = (answering?.buttons ?? []).map(({ label, button }) => [{ text: label, callback_data: button }])
  const isPublic = link.onlyOn === null && /^https:\/\/[^/]*\.[a-z]/i.test(link.url)
  const rows = [...options, ...(isPublic ? [[{ text: 'Open in Beckon', url: link.url }]] : [])]
  return rows.length > 0 ? { reply_markup: { inline_keyboard: rows } } : {}
}

interface Reply {
  ok?: boolean
  description?: string
  parameters?: { retry_after?: number }
  result?: { message_id: number; chat: { id: number } }
}

function read(reply: string): Reply {
  try {
    return JSON.parse(reply)
  } catch {
    return {}
  }
}
