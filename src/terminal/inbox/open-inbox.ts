import type { HubApi } from '../../protocol/hub.ts'
import { isRich, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import type { InboxOptions } from './options.ts'

/** Shows all pending requests, drawn or in plain lines depending on the terminal, until the person quits. */
export async function openInbox(
  terminal: Terminal,
  hub: HubApi,
  { plain, ...options }: InboxOptions & { plain: boolean },
): Promise<void> {
  const unlock = await lockTerminal(terminal, options.signal)
  if (!unlock) return
  try {
    if (!plain && isRich(terminal)) {
      const { inboxRich } = await import('./rich.ts')
      await inboxRich(terminal, hub, options)
    } else {
      const { inboxPlain } = await import('./plain.ts')
      await inboxPlain(terminal, hub, options)
    }
  } finally {
    unlock()
  }
}
