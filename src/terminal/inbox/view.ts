import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { chop, wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import type { Frame } from '../screen.ts'
import { detail } from './detail.ts'
import type { Group } from './group.ts'
import { help } from './help.ts'
import type { Inbox } from './inbox.ts'
import { dangerLevel, type Item } from './item.ts'
import { fitColumns, justify, row } from './row.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

// With fewer lines than this below the header, only the list is shown.
const enoughForDetail = 9

export interface ViewState {
  readonly now: number
  /** Whether keys have an effect yet; until then the footer is empty. */
  readonly listening: boolean
}

/** Exactly as many lines as the screen has, none wider than it. */
export function view(inbox: Inbox, { columns, rows }: Size, { now, listening }: ViewState): Frame {
  const footer = listening ? line(cut(keys(inbox, columns), columns), 'dim') : line('')
  const bottom = bottomOf(inbox, columns, Math.max(1, rows - 3), footer)
  const top = [header(inbox, columns), line('')]
  const room = rows - top.length - bottom.lines.length
  const body = inbox.focus === 'help' ? help(columns) : bodyOf(inbox, columns, room, now)
  const filled = [...top, ...body.slice(0, room), ...Array<Line>(Math.max(0, room - body.length)).fill(line(''))]
  const lines = [...filled, ...bottom.lines].slice(-rows).map(one => chop(one, columns)[0] ?? [])
  const { cursor } = bottom
  return { lines, cursor: cursor && { row: lines.length - bottom.lines.length + cursor.row, column: cursor.column } }
}

function header({ all, rows, filter, loaded }: Inbox, columns: number): Line {
  const dangerous = all.filter(({ request }) => dangerLevel(request) > 0).length
  const count = !loaded ? 'loading…' : all.length === 0 ? 'nothing is waiting' : `${all.length} waiting`
  const narrowed = filter.text === '' ? '' : `, ${rows.length} shown`
  const left = [...line('Beckon', 'bold'), ...line(`  ${count}${narrowed}`)]
  return justify(left, dangerous > 0 ? line(`${dangerous} dangerous`, 'red', 'bold') : [], columns)
}

function bodyOf(inbox: Inbox, columns: number, room: number, now: number): Line[] {
  const { rows, groups, selected } = inbox
  if (!selected) return emptyBody(inbox, columns)
  const withDetail = room >= enoughForDetail
  // A low screen has no room for headings.
  const entries = withDetail ? entriesOf(groups) : rows.map(item => ({ item, isNamed: false }))
  const at = entries.findIndex(entry => 'item' in entry && entry.item === selected)
  const height = Math.min(entries.length, withDetail ? Math.ceil((room - 1) / 2) : room)
  const from = Math.min(Math.max(0, at - Math.floor(height / 2)), entries.length - height)
  const widths = { named: fitColumns(rows, columns, { withAgent: false }), unnamed: fitColumns(rows, columns) }
  const window = entries.slice(from, from + height)
  const shown = window.map(entry =>
    'heading' in entry
      ? line(cut(entry.heading, columns), 'dim')
      : row(entry.item, entry.item === selected, entry.isNamed ? widths.named : widths.unnamed, now),
  )
  if (!withDetail) return shown
  const position = height < entries.length ? positionOf(window, rows) : ''
  return [...shown, rule(position, columns), ...detail(selected, columns, room - height - 1, now)]
}

/** A line of the list: the heading of a group, or a request, which need not name its agent below a heading that does. */
type Entry = { readonly heading: string } | { readonly item: Item; readonly isNamed: boolean }

// Built once per arrangement of the list, not for every frame.
const built = new WeakMap<readonly Group[], readonly Entry[]>()

function entriesOf(groups: readonly Group[]): readonly Entry[] {
  const known = built.get(groups)
  if (known) return known
  const entries = groups.flatMap(({ heading, asker, items }): Entry[] => [
    ...(heading === null ? [] : [{ heading }]),
    ...items.map(item => ({ item, isNamed: asker !== null })),
  ])
  built.set(groups, entries)
  return entries
}

function positionOf(window: readonly Entry[], rows: readonly Item[]): string {
  const shown = window.flatMap(entry => ('item' in entry ? [entry.item] : []))
  const [first] = shown
  const from = first ? rows.indexOf(first) : 0
  return `${from + 1}–${from + shown.length} of ${rows.length}`
}

function emptyBody({ loaded, filter }: Inbox, columns: number): Line[] {
  if (!loaded) return []
  const text =
    filter.text === ''
      ? 'Nothing is waiting for you. New requests appear here.'
      : `Nothing matches “${harmlessTitle(filter.text)}”. Press Esc to show everything.`
  return wrap(line(text, 'dim'), columns)
}

function rule(position: string, columns: number): Line {
  const label = position ? `── ${position} ` : ''
  return line(`${label}${'─'.repeat(Math.max(0, columns - label.length))}`.slice(0, columns), 'dim')
}

interface Bottom {
  readonly lines: Line[]
  readonly cursor: { row: number; column: number } | null
}

/** The current question or message, and the keys. Of a text being written, the lines around its cursor. */
function bottomOf(inbox: Inbox, columns: number, room: number, footer: Line): Bottom {
  const message = inbox.message ? wrap(line(inbox.message, 'yellow'), columns).slice(0, 2) : []
  const title = cut(inbox.selected?.title ?? '', Math.max(12, columns - 30))
  switch (inbox.focus) {
    case 'filter':
      return editorLines('Show only: ', inbox.filter, columns, [footer], Math.min(room, 2))
    case 'decline': {
      const head = wrap(line(`Why do you decline this request? ${title}`, 'bold'), columns)
      const body = editorLines('▏ ', inbox.reason, columns, [...message, footer], Math.min(room, 6))
      const { cursor } = body
      const above = [line(''), ...head]
      return {
        lines: [...above, ...body.lines],
        cursor: cursor && { ...cursor, row: cursor.row + above.length },
      }
    }
    case 'skip':
      return {
        lines: [line(''), ...wrap(line(`Skip this request? ${title}`, 'yellow', 'bold'), columns), footer],
        cursor: null,
      }
    default:
      return { lines: [...(message.length > 0 ? [line(''), ...message] : [line('')]), footer], cursor: null }
  }
}

function editorLines(
  label: string,
  { text, at }: Inbox['reason'],
  columns: number,
  below: Line[],
  most: number,
): Bottom {
  const before = harmlessLines(text.slice(0, at)).length
  const { lines, row, column } = layOutEditor(harmlessLines(text), before, columns - label.length)
  const from = Math.max(0, Math.min(row - most + 1, lines.length - most))
  const shown = lines.slice(from, from + most)
  return {
    lines: [...shown.map(one => [...line(label, 'cyan'), ...line(one)]), ...below],
    cursor: { row: row - from, column: column + label.length },
  }
}

/** The keys that do something here. On a narrow screen, only those that lead to the others. */
function keys({ focus, selected, filter }: Inbox, columns: number): string {
  switch (focus) {
    case 'filter':
      return 'Enter apply · Esc show everything'
    case 'skip':
      return 'Enter skip · any other key to go back'
    case 'decline':
      return 'Enter decline · ^J new line · Esc back'
    case 'help':
      return 'any key to go back'
    case 'list': {
      const leave = filter.text === '' ? 'q quit' : 'Esc show everything'
      const skip = selected?.request.required === false ? ['s skip'] : []
      const choices = [
        ...(selected ? [['↑↓ move', 'Enter open', ...skip, 'd decline', '/ filter', '? help', leave]] : []),
        [...(selected ? ['Enter open'] : []), '/ filter', '? help', leave],
        ['? help', leave],
      ].map(choice => choice.join(' · '))
      return choices.find(choice => choice.length <= columns) ?? '? help'
    }
  }
}
