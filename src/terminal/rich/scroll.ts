import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import type { Frame } from '../screen.ts'

/** Lines of which some must stay visible: the highlighted row, or the line being written. */
export interface Body {
  lines: Line[]
  focus: { from: number; to: number }
  cursor: { row: number; column: number } | null
}

/** What the scrolling needs to know about the dialog, and tells it. */
interface Scrolling {
  scrolled: number
  page: number
  unseen: number
  see(from: number, to: number): void
}

/** What the person decides, which stays on the screen wherever they scroll to. */
export interface Pinned {
  /** Harmless, on one line. */
  title: string
  /** The line of the body that says it in full. */
  at: number
  columns: number
}

export const emptyBody: Body = { lines: [], focus: { from: 0, to: 0 }, cursor: null }

export function bodyOf(lines: Line[]): Body {
  return { ...emptyBody, lines }
}

export function stack(parts: Body[]): Body {
  return parts.reduce((all, part) => {
    const by = all.lines.length
    const focus = part.focus.to > part.focus.from ? { from: part.focus.from + by, to: part.focus.to + by } : all.focus
    const cursor = part.cursor ? { ...part.cursor, row: part.cursor.row + by } : all.cursor
    return { lines: [...all.lines, ...part.lines], focus, cursor }
  }, emptyBody)
}

/** As much of the body as fits: around its focus, or where the person has scrolled to. The bottom is always visible. */
export function visiblePart(body: Body, bottom: Line[], rows: number, dialog: Scrolling, pinned: Pinned): Frame {
  const below = (bottom.length > 0 ? [line(''), ...bottom] : []).slice(-Math.max(1, rows - 3))
  const height = Math.max(1, rows - below.length)
  if (body.lines.length <= height) {
    dialog.unseen = 0
    return { lines: [...body.lines, ...below], cursor: body.cursor }
  }
  const room = Math.max(1, height - 2)
  const { from, to } = body.focus
  const wanted = to - room > 0 ? Math.min(from, Math.max(0, to - Math.ceil(room * 0.7))) : 0
  const last = body.lines.length - room
  const top = Math.min(Math.max(wanted + dialog.scrolled, 0), last)
  dialog.scrolled = top - wanted
  dialog.page = Math.max(1, room - 1)
  dialog.see(top, top + room)
  const rest = last - top
  const isVisible = pinned.at >= top && pinned.at < top + room
  const lines = [
    topLine(top, pinned.columns, isVisible ? null : pinned.title),
    ...body.lines.slice(top, top + room),
    line(rest > 0 ? moreLines('↓', rest, 'PgDn', pinned.columns) : '', 'dim'),
    ...below,
  ].slice(0, rows)
  const { cursor } = body
  const inside = cursor && cursor.row >= top && cursor.row < top + room
  return { lines, cursor: inside ? { row: cursor.row - top + 1, column: cursor.column } : null }
}

/** How much is above, and the title if it has scrolled off the screen. */
function topLine(above: number, columns: number, title: string | null): Line {
  const more = above > 0 ? moreLines('↑', above, 'PgUp', columns) : ''
  if (!title) return line(more, 'dim')
  const choices = above > 0 ? [`${more} · `, `↑ ${above} · `] : []
  const lead = choices.find(choice => choice.length + leastTitle <= columns) ?? ''
  return [...line(lead, 'dim'), ...line(cut(title, columns - lead.length), 'bold')]
}

// A title shorter than this does not say what the request is about.
const leastTitle = 12

function moreLines(arrow: string, count: number, key: string, columns: number): string {
  const text = `${arrow} ${count} more ${count === 1 ? 'line' : 'lines'}`
  const hint = ` (${key})`
  return cut(text.length + hint.length <= columns ? `${text}${hint}` : text, columns)
}
