import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatTarget, LeasedPress } from '../hub/chat.ts'
import { ApiError } from './call-api.ts'
import type { PressResult } from './deal-with-press.ts'
import { callSlack } from './slack/api.ts'
import { callTelegram } from './telegram/api.ts'

// Milliseconds. With two calls, shorter than the lease of a press.
const longestPause = 5_000

/** Tells the person who pressed what became of it; once more where the chat asks for a short pause. */
export async function replyToPress(target: ChatTarget, press: LeasedPress, result: PressResult): Promise<void> {
  try {
    await say(target, press, result)
  } catch (error) {
    const pause = error instanceof ApiError ? error.retryAfter : null
    if (pause === null || pause > longestPause) throw error
    await sleep(pause)
    await say(target, press, result)
  }
}

/** Where nobody else sees it. On ntfy, the call itself has the reply. */
async function say({ target }: ChatTarget, { place }: LeasedPress, { result, reply }: PressResult): Promise<void> {
  if (target.kind === 'telegram') {
    // Telegram shows 200 characters: as an alert when nothing was changed, else in passing.
    const parameters = { callback_query_id: place.query, text: reply.slice(0, 200), show_alert: result !== 'answered' }
    await callTelegram(target, 'answerCallbackQuery', parameters).catch(error => {
      // The press is too old for Telegram to show anything.
      if (!(error instanceof ApiError && error.status === 400)) throw error
    })
  } else if (target.kind === 'slack') {
    // The message itself says who answered, and Slack shows no reply beside it that goes away again.
    if (result === 'answered') return
    const parameters = { channel: place.channel, user: place.user, text: reply }
    await callSlack(target.url, target.secret, 'chat.postEphemeral', parameters)
  }
}
