import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import type { Inbox } from './inbox.ts'

/** Every single request that one decision is about, with its whole title. */
export function targetLines(inbox: Inbox, columns: number, room: number): Line[] {
  const titles = inbox.targets.flatMap(({ title, agent }) => wrap(line(`· ${agent}: ${title}`), columns, 2))
  const hasContext = inbox.targets.some(({ request }) => request.context !== null)
  const told = hasContext ? wrap(line('Each has a context of its own. Open one to read it.', 'dim'), columns) : []
  return [...scrolledPart(inbox, titles, columns, room - told.length), ...told]
}

/** As many lines as fit from where the person has scrolled to, and how many there are more. */
export function scrolledPart(inbox: Inbox, lines: readonly Line[], columns: number, room: number): Line[] {
  const most = Math.max(1, room - 1)
  if (lines.length <= room) return [...lines]
  inbox.scrolled = Math.min(inbox.scrolled, lines.length - most)
  const below = lines.length - most - inbox.scrolled
  const [arrow, count, key] = below > 0 ? ['↓', below, 'PgDn'] : ['↑', inbox.scrolled, 'PgUp']
  const more = line(cut(`${arrow} ${count} more ${count === 1 ? 'line' : 'lines'} (${key})`, columns), 'dim')
  return [...lines.slice(inbox.scrolled, inbox.scrolled + most), more]
}
