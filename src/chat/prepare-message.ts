import { isBot } from '../hub/bots.ts'
import type { ChatStore, ChatTarget } from '../hub/chat.ts'
import type { OpenTarget } from '../hub/sealing.ts'
import type { Answering } from '../notify/message.ts'
import type { PrepareChat } from '../notify/sender.ts'
import { titleFor } from '../notify/title.ts'
import type { Request } from '../protocol/index.ts'
import { opensElsewhere } from '../rules/reachable.ts'
import { type Answerable, answerable } from './answerable.ts'
import { makeButton } from './buttons.ts'
import type { ChatLog } from './log.ts'
import { isOpenTopic } from './ntfy.ts'

// The apps of ntfy show three buttons.
const mostNtfyButtons = 3
// Milliseconds. Somebody may open a topic to everybody after it was paired.
const checkTopicEvery = 3_600_000

/** What may be answered in a message, with its buttons; and the chat that the bot writes to. */
export function createPrepareChat(chat: ChatStore, log: ChatLog): PrepareChat {
  const topics = new Map<string, { checkedAt: number; isOpen: boolean }>()
  return async ({ target, about, event }, inbox) => {
    const found = mayHaveButtons(target)
      ? (await chat.targets()).find(one => one.target.name === target.name)
      : undefined
    if (!found) return { target, answering: null }
    if (isBot(found.target) && found.target.channel === undefined) {
      throw new Error(`nobody is paired yet: beckon notify pair ${target.name}`)
    }
    const request = 'kind' in about && event !== 'request.settled' ? about : null
    const asked = request && answerable(request)
    const isAllowed = asked !== null && (await mayAnswer(found, asked, inbox))
    return {
      target: found.target,
      answering: isAllowed ? await withButtons(found, request as Request, asked, inbox) : null,
    }
  }

  async function mayAnswer({ id, bot, target }: ChatTarget, { options }: Answerable, inbox: string): Promise<boolean> {
    if (target.kind === 'telegram') return true
    if (target.kind === 'slack') return Boolean(target.appToken || target.signingSecret)
    if (target.kind !== 'ntfy' || target.secret === null || options.length > mostNtfyButtons) return false
    return opensElsewhere(inbox) && (await chat.personOf(bot, '*')) !== null && !(await isOpen(id, target))
  }

  /** Where that cannot be found out, it counts as open. */
  async function isOpen(id: string, { url, name }: { url: string; name: string }): Promise<boolean> {
    const known = topics.get(id)
    // Not by the clock of the day, which may be set back.
    if (known && performance.now() - known.checkedAt < checkTopicEvery) return known.isOpen
    const isOpen = await isOpenTopic(url).catch(() => true)
    if (isOpen)
      log.warn({ target: name }, 'no buttons on ntfy: everybody can read the topic, or that cannot be found out')
    topics.set(id, { checkedAt: isOpen ? Number.NEGATIVE_INFINITY : performance.now(), isOpen })
    return isOpen
  }

  async function withButtons(
    { bot, target }: ChatTarget,
    request: Request,
    { text, options }: Answerable,
    inbox: string,
  ): Promise<Answering> {
    const buttons = options.map(async (label, option) => ({
      label,
      button: await makeButton(bot, { request: request.id, option }, chat.sign),
    }))
    return {
      text: text === titleFor(request) ? '' : text,
      buttons: await Promise.all(buttons),
      url: `${inbox}/chat/ntfy/${encodeURIComponent(target.name)}`,
    }
  }
}

function mayHaveButtons(target: OpenTarget): boolean {
  return target.kind === 'ntfy' || isBot(target)
}
