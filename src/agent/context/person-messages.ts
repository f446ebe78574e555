import { cutMiddle } from './cut-middle.ts'
import { estimateTokens } from './tokens.ts'

// What a person asked for must not depend on a summary. The first message is the task and is always kept; of the later
// ones, which add to it or correct it, the latest are kept. Both have a limit, so that room remains to work in.

const taskShare = 1 / 4
const laterShare = 1 / 8

/** The person's messages before the cut, word for word, each as one paragraph of a summary. */
export function keepPersonMessages(messages: readonly string[], limit: number, journal: string): string[] {
  const [task, ...later] = messages
  if (task === undefined) return []
  const kept = keepLatest(later, limit * laterShare, journal)
  const missing = later.length - kept.length
  const note = missing > 0 ? [`(${missing} earlier messages are left out; they are in ${journal})`] : []
  return [
    `What the person wrote first, word for word:\n${quote(shorten(task, limit * taskShare, journal))}`,
    ...(later.length > 0 ? [['What the person wrote after that, word for word:', ...note, ...kept].join('\n')] : []),
  ]
}

/** From the last one backwards, as long as there is room; the last one is always among them. */
function keepLatest(messages: readonly string[], room: number, journal: string): string[] {
  const kept: string[] = []
  let left = room
  for (const message of messages.toReversed()) {
    const quoted = quote(shorten(message, room, journal))
    left -= estimateTokens(quoted)
    if (left < 0 && kept.length > 0) break
    kept.unshift(quoted)
  }
  return kept
}

function quote(message: string): string {
  return `<message>\n${message}\n</message>`
}

function shorten(text: string, room: number, journal: string): string {
  const note = (missing: number) => `… (${missing} characters are left out here; the whole message is in ${journal}) …`
  return cutMiddle(text, room, { headShare: 1 / 2, note })
}
