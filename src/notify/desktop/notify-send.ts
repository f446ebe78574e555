import type { Notification } from './notification.ts'
import type { RunProgram } from './run-program.ts'

/** Linux and other systems with a D-Bus desktop. Versions before 0.8 cannot replace a notification. */
export async function notifySend(
  { title, lines, urgency, replaces }: Notification,
  run: RunProgram,
): Promise<string | null> {
  const urgent = { low: 'low', normal: 'normal', high: 'critical' }[urgency]
  // After -- nothing is an option. Desktops read the body as markup.
  const texts = ['--', title, lines.map(escapeMarkup).join('\n')]
  const options = ['--app-name=Beckon', `--urgency=${urgent}`]
  const replacing = ['--print-id', ...(replaces === null ? [] : [`--replace-id=${replaces}`])]
  try {
    const id = (await run({ program: 'notify-send', args: [...options, ...replacing, ...texts] })).trim()
    return /^\d{1,10}$/.test(id) ? id : null
  } catch (error) {
    if (!(error instanceof Error && /unknown option/i.test(error.message))) throw error
    await run({ program: 'notify-send', args: [...options, ...texts] })
    return null
  }
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
