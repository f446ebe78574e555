import { factLine } from '../facts.ts'
import { headline, type Message } from '../message.ts'

/** What Slack shows: `blocks`; and `text` in its notifications, and in services that know only that. */
export interface SlackContent {
  text: string
  blocks: object[]
}

/** An agent's text is a `text` element, which Slack shows as it is: no mention, no link, no formatting. */
export function slackContent(message: Message, { hasButtons = false } = {}): SlackContent {
  const { heading, facts, link, answering } = message
  const title = headline(message)
  const literal = (text: string, style?: object) => ({ type: 'text', text, ...(style ? { style } : {}) })
  const lines = [
    [...(heading ? [literal(`${heading}: `, { bold: true })] : []), literal(title)],
    ...(facts.length > 0 ? [[literal(factLine(facts))]] : []),
    [
      { type: 'link', url: link.url, text: 'Open in Beckon' },
      ...(link.onlyOn === null ? [] : [literal(` (opens on ${link.onlyOn} only)`)]),
    ],
  ]
  const elements = lines.map((line, i) => ({
    type: 'rich_text_section',
    elements: i < lines.length - 1 ? [...line, literal('\n')] : line,
  }))
  return {
    text: [
      `${heading ? `*${heading}*: ` : ''}${asCode(title)}`,
      ...(facts.length > 0 ? [asCode(factLine(facts))] : []),
      `${link.url}${link.onlyOn === null ? '' : ` (opens on ${asCode(link.onlyOn)} only)`}`,
    ].join('\n'),
    blocks: [
      { type: 'rich_text', elements: answering?.text ? [...elements, preformatted(answering.text)] : elements },
      ...(hasButtons && message.settlement === null ? [buttonsOf(message)] : []),
    ],
  }
}

function preformatted(text: string): object {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }
}

/** The options, where the message shows the request whole; always the way to the page. */
function buttonsOf({ answering, link }: Message): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const options = (answering?.buttons ?? []).map(({ label, button }, i) => ({
    type: 'button',
    action_id: `answer_${i}`,
    text: plain(label),
    value: button,
  }))
  const open = { type: 'button', action_id: 'open', text: plain('Open in Beckon'), url: link.url }
  return { type: 'actions', elements: [...options, open] }
}

/**
 * Inline code, in which neither Slack nor Mattermost and the others find mentions, links and formatting. Slack finds `<…>`
 * also there, and the others would show its escape.
 */
function asCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('<', '‹').replaceAll('>', '›')}\``
}
