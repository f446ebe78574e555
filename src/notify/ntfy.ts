import type { Delivery } from './delivery.ts'
import { headingOf, type Message, titleIn, urgencyOf } from './message.ts'

const tags: Record<string, string> = {
  question: 'question',
  dependency: 'key',
  approval: 'warning',
  review: 'mag',
  'run failed': 'x',
}

/** JSON to the server's root: ntfy's headers cannot carry every character. */
export function buildNtfy(target: { url: string; secret: string | null }, message: Message): Delivery {
  const url = new URL(target.url)
  const end = url.pathname.lastIndexOf('/') + 1
  const topic = url.pathname.slice(end)
  url.pathname = url.pathname.slice(0, end)
  url.search = ''
  const heading = headingOf(message)
  return {
    url: url.href,
    headers: {
      'content-type': 'application/json',
      'x-beckon-delivery': message.id,
      ...(target.secret ? { authorization: `Bearer ${target.secret}` } : {}),
    },
    body: JSON.stringify({
      topic,
      title: heading ? `Beckon: ${heading}` : 'Beckon',
      message: titleIn(message),
      priority: urgencyOf(message) === 'high' ? 5 : 3,
      tags: [heading ? tags[heading] : 'white_check_mark'],
      click: message.url,
    }),
  }
}
