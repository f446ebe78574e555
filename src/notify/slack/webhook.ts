import type { Channel, ChannelOptions } from '../channel.ts'
import { post } from '../post.ts'
import { slackContent } from './blocks.ts'

/** The incoming webhook of Slack, which Mattermost, Rocket.Chat and others accept too. It cannot change what it sent. */
export function openSlackWebhook({ url }: { url: string }, { fetch }: ChannelOptions): Channel {
  return {
    send(message) {
      const headers = { 'content-type': 'application/json', 'x-beckon-delivery': message.id }
      return post({ url, headers, body: JSON.stringify(slackContent(message)) }, fetch)
    },
  }
}
