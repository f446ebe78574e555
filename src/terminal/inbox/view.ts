import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { chop, wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import { lastAnswerText } from '../last-answer.ts'
import type { Frame } from '../screen.ts'
import { snoozeTimes } from '../snooze-times.ts'
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
  readonly env: NodeJS.ProcessEnv
}

/** Exactly as many lines as the screen has, none wider than it. */
export function view(inbox: Inbox, { columns, rows }: Size, { now, listening, env }: ViewState): Frame {
  const footer = listening ? line(cut(keys(inbox, columns), columns), 'dim') : line('')
  const bottom = bottomOf(inbox, columns, Math.max(1, rows - 3), footer, now)
  const top = [header(inbox, columns), line('')]
  const room = rows - top.length - bottom.lines.length
  const body = inbox.focus === 'help' ? help(columns) : bodyOf(inbox, columns, room, { now, env })
  const filled = [...top, ...body.slice(0, room), ...Array<Line>(Math.max(0, room - body.length)).fill(line(''))]
  const lines = [...filled, ...bottom.lines].slice(-rows).map(one => chop(one, columns)[0] ?? [])
  const { cursor } = bottom
  return { lines, cursor: cursor && { row: lines.length - bottom.lines.length + cursor.row, column: cursor.column } }
}

function header({ all, rows, filter, loaded, snoozedCount, showsSnoozed }: Inbox, columns: number): Line {
  const dangerous = all.filter(({ request }) => dangerLevel(request) > 0).length
  const count = !loaded ? 'loading…' : all.length === 0 ? 'nothing is waiting' : `${all.length} waiting`
  const narrowed = filter.text === '' ? '' : `, ${rows.length} shown`
  const snoozed = snoozedCount === 0 ? '' : ` · ${snoozedCount} snoozed${showsSnoozed ? ', shown' : ''}`
  const left = [...line('Beckon', 'bold'), ...line(`  ${count}${snoozed}${narrowed}`)]
  return justify(left, dangerous > 0 ? line(`${dangerous} dangerous`, 'red', 'bold') : [], columns)
}

function bodyOf(inbox: Inbox, columns: number, room: number, { now, env }: Pick<ViewState, 'now' | 'env'>): Line[] {
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
  const last = inbox.last ? [line(`${lastAnswerText(inbox.last, env, now)} · l answer the same`, 'green')] : []
  const above = last.flatMap(one => wrap(one, columns)).slice(0, 2)
  const below = detail(selected, columns, room - height - 1 - above.length, now)
  return [...shown, rule(position, columns), ...above, ...below]
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
function bottomOf(inbox: Inbox, columns: number, room: number, footer: Line, now: number): Bottom {
  const message = inbox.message ? wrap(line(inbox.message, 'yellow'), columns).slice(0, 2) : []
  const title = cut(inbox.selected?.title ?? '', Math.max(12, columns - 30))
  switch (inbox.focus) {
    case 'filter':
      return editorLines('Show only: ', inbox.filter, columns, [footer], Math.min(room, 2))
    case 'decline':
    case 'message': {
      const asks = inbox.focus === 'decline' ? 'Why do you decline this request?' : 'Your message to the agent:'
      const head = wrap(line(`${asks} ${title}`, 'bold'), columns)
      const body = editorLines('▏ ', inbox.text, columns, [...message, footer], Math.min(room, 6))
      const { cursor } = body
      const above = [line(''), ...head]
      return {
        lines: [...above, ...body.lines],
        cursor: cursor && { ...cursor, row: cursor.row + above.length },
      }
    }
    case 'last':
      return {
        lines: [line(''), ...wrap(line(`Answer the same as last time? ${title}`, 'yellow', 'bold'), columns), footer],
        cursor: null,
      }
    case 'snooze': {
      const times = snoozeTimes(now).map(({ label }, i) => `${i + 1} ${label}`)
      const lines = [`Snooze this request? ${title}`, times.join(' · ')].flatMap(text =>
        wrap(line(text, 'yellow', 'bold'), columns),
      )
      return { lines: [line(''), ...lines, footer], cursor: null }
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

function editorLines(label: string, { text, at }: Inbox['text'], columns: number, below: Line[], most: number): Bottom {
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
function keys({ focus, selected, filter, showsSnoozed }: Inbox, columns: number): string {
  switch (focus) {
    case 'filter':
      return 'Enter apply · Esc show everything'
    case 'skip':
      return 'Enter skip · any other key to go back'
    case 'decline':
      return 'Enter decline · ^J new line · Esc back'
    case 'last':
      return 'Enter answer · any other key to go back'
    case 'message':
      return 'Enter send · ^J new line · Esc back'
    case 'snooze':
      return '1–4 snooze · any other key to go back'
    case 'help':
      return 'any key to go back'
    case 'list': {
      const leave = filter.text === '' ? 'q quit' : 'Esc show everything'
      const skip = selected?.request.required === false ? ['s skip'] : []
      const talk = selected?.request.canReply ? ['c ask back'] : []
      const most = ['↑↓ move', 'Enter open', ...skip, 'd decline', ...talk]
      const choices = [
        ...(selected ? [[...most, showsSnoozed ? 'z wake' : 'z snooze', '/ filter', '? help', leave]] : []),
        ...(selected ? [[...most, '/ filter', '? help', leave]] : []),
        [...(selected ? ['Enter open'] : []), '/ filter', '? help', leave],
        ['? help', leave],
      ].map(choice => choice.join(' · '))
      return choices.find(choice => choice.length <= columns) ?? '? help'
    }
  }
}
