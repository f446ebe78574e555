import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { chop, wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import type { Frame } from '../screen.ts'
import { detail } from './detail.ts'
import { help } from './help.ts'
import type { Inbox } from './inbox.ts'
import { dangerOf } from './item.ts'
import { ends, fitColumns, row } from './row.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

// With less room than this below the header, all of it is the list's.
const enoughForDetail = 9

export interface Moment {
  readonly now: number
  /** Whether keys are taken already: they are named once they are. */
  readonly listening: boolean
}

/** The inbox as it styles now: as many lines as the screen has, none wider than it is. */
export function view(inbox: Inbox, { columns, rows }: Size, { now, listening }: Moment): Frame {
  const footer = listening ? line(cut(keys(inbox, columns), columns), 'dim') : line('')
  const bottom = bottomOf(inbox, columns, Math.max(1, rows - 3), footer)
  const top = [header(inbox, columns), line('')]
  const room = rows - top.length - bottom.lines.length
  const body = inbox.place === 'help' ? help(columns) : bodyOf(inbox, columns, room, now)
  const filled = [...top, ...body.slice(0, room), ...Array<Line>(Math.max(0, room - body.length)).fill(line(''))]
  const lines = [...filled, ...bottom.lines].slice(-rows).map(one => chop(one, columns)[0] ?? [])
  const { cursor } = bottom
  return { lines, cursor: cursor && { row: lines.length - bottom.lines.length + cursor.row, column: cursor.column } }
}

function header({ all, rows, filter, loaded }: Inbox, columns: number): Line {
  const dangerous = all.filter(({ request }) => dangerOf(request) > 0).length
  const count = !loaded ? 'looking…' : all.length === 0 ? 'nothing waits' : `${all.length} waiting`
  const narrowed = filter.text === '' ? '' : `, ${rows.length} shown`
  const left = [...line('Beckon', 'bold'), ...line(`  ${count}${narrowed}`)]
  return ends(left, dangerous > 0 ? line(`${dangerous} dangerous`, 'red', 'bold') : [], columns)
}

function bodyOf(inbox: Inbox, columns: number, room: number, now: number): Line[] {
  const { rows, lit, at } = inbox
  if (!lit) return emptyBody(inbox, columns)
  const withDetail = room >= enoughForDetail
  const height = Math.min(rows.length, withDetail ? Math.ceil((room - 1) / 2) : room)
  const from = Math.min(Math.max(0, at - Math.floor(height / 2)), rows.length - height)
  const widths = fitColumns(rows, columns)
  const shown = rows.slice(from, from + height).map((item, i) => row(item, from + i === at, widths, now))
  if (!withDetail) return shown
  const place = height < rows.length ? `${from + 1}–${from + height} of ${rows.length}` : ''
  return [...shown, rule(place, columns), ...detail(lit, columns, room - height - 1, now)]
}

function emptyBody({ loaded, filter }: Inbox, columns: number): Line[] {
  if (!loaded) return []
  const text =
    filter.text === ''
      ? 'Nothing waits for you. What agents ask appears here by itself.'
      : `Nothing matches “${harmlessTitle(filter.text)}”. Esc shows everything.`
  return wrap(line(text, 'dim'), columns)
}

function rule(place: string, columns: number): Line {
  const label = place ? `── ${place} ` : ''
  return line(`${label}${'─'.repeat(Math.max(0, columns - label.length))}`.slice(0, columns), 'dim')
}

interface Bottom {
  readonly lines: Line[]
  readonly cursor: { row: number; column: number } | null
}

/** What is being asked or said, and the keys. Of a text that is being written, the lines around its cursor. */
function bottomOf(inbox: Inbox, columns: number, room: number, footer: Line): Bottom {
  const said = inbox.message ? wrap(line(inbox.message, 'yellow'), columns).slice(0, 2) : []
  const title = cut(inbox.lit?.title ?? '', Math.max(12, columns - 30))
  switch (inbox.place) {
    case 'filter':
      return written('Show only: ', inbox.filter, columns, [footer], Math.min(room, 2))
    case 'decline': {
      const head = wrap(line(`Why not? This declines: ${title}`, 'bold'), columns)
      const body = written('▏ ', inbox.reason, columns, [...said, footer], Math.min(room, 6))
      const { cursor } = body
      const above = [line(''), ...head]
      return {
        lines: [...above, ...body.lines],
        cursor: cursor && { ...cursor, row: cursor.row + above.length },
      }
    }
    case 'skip':
      return {
        lines: [line(''), ...wrap(line(`Skip this one? ${title}`, 'yellow', 'bold'), columns), footer],
        cursor: null,
      }
    default:
      return { lines: [...(said.length > 0 ? [line(''), ...said] : [line('')]), footer], cursor: null }
  }
}

function written(label: string, { text, at }: Inbox['reason'], columns: number, below: Line[], most: number): Bottom {
  const before = harmlessLines(text.slice(0, at)).length
  const { lines, row, column } = layOutEditor(harmlessLines(text), before, columns - label.length)
  const from = Math.max(0, Math.min(row - most + 1, lines.length - most))
  const shown = lines.slice(from, from + most)
  return {
    lines: [...shown.map(one => [...line(label, 'cyan'), ...line(one)]), ...below],
    cursor: { row: row - from, column: column + label.length },
  }
}

/** All keys that do something here; where the screen is narrow, those that lead to the others. */
function keys({ place, lit, filter }: Inbox, columns: number): string {
  switch (place) {
    case 'filter':
      return 'Enter keep · Esc show everything'
    case 'skip':
      return 'Enter skips it · any other key goes back'
    case 'decline':
      return 'Enter decline · ^J new line · Esc back'
    case 'help':
      return 'any key goes back'
    case 'list': {
      const leave = filter.text === '' ? 'q quit' : 'Esc show everything'
      const skip = lit?.request.required === false ? ['s skip'] : []
      const choices = [
        ...(lit ? [['↑↓ move', 'Enter open', ...skip, 'd decline', '/ filter', '? help', leave]] : []),
        [...(lit ? ['Enter open'] : []), '/ filter', '? help', leave],
        ['? help', leave],
      ].map(choice => choice.join(' · '))
      return choices.find(choice => choice.length <= columns) ?? '? help'
    }
  }
}
