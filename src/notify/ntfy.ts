import type { Channel, ChannelOptions, SendResult } from './channel.ts'
import { factLine } from './facts.ts'
import { type Answering, headline, type Message, type Urgency } from './message.ts'
import { post } from './post.ts'

const tags: Record<string, string> = {
  question: 'question',
  dependency: 'key',
  approval: 'warning',
  review: 'mag',
  'run failed': 'x',
}
const settledTag = 'white_check_mark'
// 1 makes no sound, 5 rings also in silent mode.
const priorities: Record<Urgency, number> = { low: 1, normal: 3, high: 5 }

interface Topic {
  url: string
  secret: string | null
}

/**
 * JSON to the server's root: ntfy's headers cannot carry every character. The request is the sequence id: since ntfy 2.16 a
 * later message about it replaces the earlier one; older servers show both.
 */
export function openNtfy(target: Topic, { fetch }: ChannelOptions): Channel {
  const { url, topic } = splitTopic(target.url)
  return { send, update: (_handle, message) => send(message) }

  async function send(message: Message): Promise<SendResult> {
    const headers = {
      'content-type': 'application/json',
      'x-beckon-delivery': message.id,
      ...(target.secret ? { authorization: `Bearer ${target.secret}` } : {}),
    }
    const sent = await post({ url, headers, body: JSON.stringify({ topic, ...contentOf(message) }) }, fetch)
    return sent.result === 'delivered' ? { ...sent, handle: message.subject } : sent
  }
}

function contentOf(message: Message): object {
  const { heading, subject, settlement, facts, urgency, link, answering } = message
  const whole = answering?.text ? [answering.text] : []
  const only = link.onlyOn === null ? [] : [`Opens on ${link.onlyOn} only.`]
  return {
    title: heading ? `Beckon: ${heading}` : 'Beckon',
    message: [headline(message), ...(settlement === null ? [factLine(facts), ...whole, ...only] : [])].join('\n'),
    priority: priorities[urgency],
    tags: [settlement !== null || heading === null ? settledTag : tags[heading]],
    click: link.url,
    ...(answering ? { actions: actionsOf(answering) } : {}),
    ...(/^[-\w]{1,64}$/.test(subject) ? { sequence_id: subject } : {}),
  }
}

/** The button is a header of a POST: it stands in no address, so no log has it, and nothing that is opened sends it. */
function actionsOf({ buttons, url }: Answering): object[] {
  return buttons.map(({ label, button }) => ({
    action: 'http',
    label,
    url,
    method: 'POST',
    headers: { 'beckon-button': button },
    clear: true,
  }))
}

function splitTopic(address: string): { url: string; topic: string } {
  const url = new URL(address)
  const end = url.pathname.lastIndexOf('/') + 1
  const topic = url.pathname.slice(end)
  url.pathname = url.pathname.slice(0, end)
  url.search = ''
  return { url: url.href, topic }
}
