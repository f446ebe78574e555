import type { ChatStore } from '../../hub/chat.ts'
import type { Bot } from '../listeners.ts'
import { pairAccount } from '../pair.ts'
import { accountOf, commandSchema, pressSchema, type SlackPress } from './payloads.ts'

interface Options {
  chat: ChatStore
  onPress: () => void
}

/**
 * Takes what Slack sent about a bot, and returns what it gets back with the acknowledgement. A press is stored before that:
 * Slack sends it once.
 */
export async function takeFromSlack(bot: Bot, payload: unknown, { chat, onPress }: Options): Promise<object | null> {
  const press = pressSchema.safeParse(payload)
  if (press.success) {
    await takePress(bot, press.data, chat)
    onPress()
    return null
  }
  const command = commandSchema.safeParse(payload)
  if (!command.success) return null
  const { text, team_id, user_id, user_name } = command.data
  const account = { account: accountOf(team_id, user_id), label: user_name ? `@${user_name}` : user_id, chat: user_id }
  return { response_type: 'ephemeral', text: await pairAccount(chat, bot, text, account) }
}

async function takePress(bot: Bot, { team, user, channel, container, actions }: SlackPress, chat: ChatStore) {
  const target = bot.targets[0]
  if (!target) return
  const account = accountOf(user.team_id ?? team?.id ?? '', user.id)
  const place: Record<string, string> = { user: user.id, channel: channel?.id ?? container?.channel_id ?? '' }
  for (const { action_ts, value } of actions) {
    // The link to the page is a button, too.
    if (value === undefined) continue
    await chat.takePress({
      id: `slack ${bot.id} ${account} ${action_ts}`,
      target: target.id,
      account,
      button: value,
      place,
    })
  }
}
