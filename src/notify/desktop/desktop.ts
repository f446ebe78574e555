import type { Channel, ChannelOptions, SendResult } from '../channel.ts'
import { factLine } from '../facts.ts'
import { headline, type Message } from '../message.ts'
import type { Notification } from './notification.ts'
import { notifySend } from './notify-send.ts'
import { osascript } from './osascript.ts'
import { powershell } from './powershell.ts'
import { type RunProgram, runProgram } from './run-program.ts'

/** Shows it; returns a handle where the desktop can replace it. */
type ShowNotification = (notification: Notification, run: RunProgram) => Promise<string | null>

const desktops: Partial<Record<NodeJS.Platform, ShowNotification>> = { darwin: osascript, win32: powershell }

/** The desktop of the machine, and of the user, that runs `beckon serve`. */
export function openDesktop({ env = process.env, platform = process.platform }: ChannelOptions): Channel {
  const show = desktops[platform] ?? notifySend
  return { send: message => send(message, null), update: (handle, message) => send(message, handle) }

  async function send(message: Message, replaces: string | null): Promise<SendResult> {
    const { heading, facts, settlement, link, urgency, subject } = message
    const lines = [headline(message), ...(settlement === null ? [factLine(facts), link.url] : [])]
    const title = heading ? `Beckon: ${heading}` : 'Beckon'
    try {
      const handle = await show({ title, lines, urgency, subject, replaces }, runProgram(env))
      return { result: 'delivered', finding: 'shown on the desktop', reply: '', handle }
    } catch (error) {
      const finding = error instanceof Error ? error.message : String(error)
      return { result: 'refused', finding, reply: '', retryAfter: null }
    }
  }
}
