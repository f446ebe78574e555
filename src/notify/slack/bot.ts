import type { Channel, ChannelOptions, SendResult } from '../channel.ts'
import type { Message } from '../message.ts'
import { post } from '../post.ts'
import { slackContent } from './blocks.ts'

interface SlackBot {
  /** Of Slack's API: https://slack.com/api */
  url: string
  /** The bot token, xoxb-…. */
  secret: string | null
  channel?: string
}

/** A bot in a channel: `chat.postMessage`, and `chat.update` once the request is settled. */
export function openSlackBot({ url, secret, channel }: SlackBot, { fetch }: ChannelOptions): Channel {
  return {
    async send(message) {
      const sent = await call('chat.postMessage', { channel, unfurl_links: false, unfurl_media: false }, message)
      return sent
    },

    async update(handle, message) {
      const updated = await call('chat.update', JSON.parse(handle), message)
      // Somebody deleted it, or it is too old to be changed: nothing is left to say there.
      const isOver =
        updated.result === 'refused' &&
        /(message_not_found|cant_update_message|edit_window_closed)/.test(updated.finding)
      return isOver ? { ...updated, result: 'delivered', handle: null } : updated
    },
  }

  async function call(method: string, place: object, message: Message): Promise<SendResult> {
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${secret}` }
    const body = JSON.stringify({ ...place, ...slackContent(message, { hasButtons: true }) })
    const posted = await post({ url: `${url.replace(/\/$/, '')}/${method}`, headers, body }, fetch)
    if (posted.result !== 'delivered') return posted
    const { ok, error, channel: id, ts } = read(posted.reply)
    // Slack refuses with HTTP 200.
    if (ok !== true)
      return { ...posted, result: 'refused', finding: `Slack said ${error ?? 'nothing'}`, retryAfter: null }
    return { ...posted, handle: JSON.stringify({ channel: id, ts }) }
  }
}

function read(reply: string): { ok?: boolean; error?: string; channel?: string; ts?: string } {
  try {
    return JSON.parse(reply)
  } catch {
    return {}
  }
}
