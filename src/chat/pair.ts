import type { ChatAccount, ChatStore } from '../hub/chat.ts'
import { harmlessTitle } from '../text/harmless.ts'
import type { Bot } from './listeners.ts'

/** Pairs the account that wrote the code, and says how that went. */
export async function pairAccount(chat: ChatStore, bot: Bot, text: string, account: ChatAccount): Promise<string> {
  const given = codeIn(text)
  const name = bot.targets[0]?.target.name ?? 'NAME'
  if (given === null) return `To answer here, run this where you are signed in: beckon notify pair ${name}`
  const label = harmlessTitle(account.label.slice(0, longestLabel))
  const paired = await chat.pair(bot.targets, given, { ...account, label })
  if (!paired)
    return `This code is wrong, was used before, or is older than 10 minutes. For a new one: beckon notify pair ${name}`
  return `This account answers as ${paired.person} from now on. To end that: beckon notify pairs, and beckon notify unpair with its id.`
}

const longestLabel = 100

const code = /(?:^|\s)((?:[0-9a-z]{4}-?){2}[0-9a-z]{4})\s*$/i

/** The code at the end of what somebody wrote to a bot: `/start 7KQM…`, `pair 7KQM-2XTP-9WRD`; null for anything else. */
function codeIn(text: string): string | null {
  return code.exec(text.slice(0, 200))?.[1] ?? null
}
