import type { Delivery } from './delivery.ts'
import { headingOf, type Message, titleIn } from './message.ts'

/** The incoming webhook of Slack, which Mattermost, Rocket.Chat and others accept too. */
export function buildSlack(target: { url: string }, message: Message): Delivery {
  const heading = headingOf(message)
  return {
    url: target.url,
    headers: { 'content-type': 'application/json', 'x-beckon-delivery': message.id },
    body: JSON.stringify({
      text: `${heading ? `*${heading}*: ` : ''}${escapeMarkup(titleIn(message))}\n${message.url}`,
    }),
  }
}

/** Escapes an agent's text, so that it mentions nobody and links nowhere: `<` in Slack, `@here` and bare URLs elsewhere. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
    .replaceAll(/(\w)(:\/\/|\.)(?=\w)/g, '$1$2\u200b')
    .replaceAll(/[*_~`[\]]/g, mark => `${mark}\u200b`)
}
