import type { OpenTarget } from '../hub/sealing.ts'
import type { Channel, ChannelOptions } from './channel.ts'
import { openDesktop } from './desktop/desktop.ts'
import { openNtfy } from './ntfy.ts'
import { openPush } from './push.ts'
import { openSlackBot } from './slack/bot.ts'
import { openSlackWebhook } from './slack/webhook.ts'
import { openTelegram } from './telegram.ts'
import { openWebhook } from './webhook.ts'

export function openChannel(target: OpenTarget, options: ChannelOptions): Channel {
  switch (target.kind) {
    case 'webhook':
      return openWebhook(target, options)
    case 'ntfy':
      return openNtfy(target, options)
    case 'slack':
      return target.secret === null ? openSlackWebhook(target, options) : openSlackBot(target, options)
    case 'telegram':
      return openTelegram(target, options)
    case 'push':
      return openPush(target, options)
    case 'desktop':
      return openDesktop(options)
    case 'callback':
      throw new Error('Askers are not told like people: see send-to-program.ts.')
  }
}
