import type { Parcel } from './delivery.ts'
import { type Message, titleIn } from './message.ts'

/** What Slack, Mattermost, Rocket.Chat and others take from an incoming webhook. */
export function packSlack(target: { url: string }, message: Message): Parcel {
  const kind = message.request ? `*${message.request.kind}*: ` : ''
  return {
    url: target.url,
    headers: { 'content-type': 'application/json', 'x-beckon-delivery': message.id },
    body: JSON.stringify({ text: `${kind}${plain(titleIn(message))}\n${message.url}` }),
  }
}

/** An agent's words call nobody and link nowhere: `<` is Slack's own, `@here` calls in other chats, a bare address links. */
function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
    .replaceAll(/(\w)(:\/\/|\.)(?=\w)/g, '$1$2\u200b')
    .replaceAll(/[*_~`[\]]/g, mark => `${mark}\u200b`)
}
