import type { EarlierAnswer } from '../../protocol/earlier.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { chop, wrap } from '../../text/wrap.ts'
import { lastAnswerText } from '../last-answer.ts'
import type { Frame } from '../screen.ts'
import { beside, columnsBeside } from './beside.ts'
import { bottomOf } from './bottom.ts'
import { detail } from './detail.ts'
import { facetLines } from './facet-lines.ts'
import { help } from './help.ts'
import type { Inbox } from './inbox.ts'
import { dangerLevel } from './item.ts'
import { keyHints } from './key-hints.ts'
import { listLines } from './list-lines.ts'
import { justify } from './row.ts'
import { scrolledPart, targetLines } from './target-lines.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

// With fewer lines than this below the header, only the list is shown.
const enoughForDetail = 9
const lastTimeRows = 2

export interface ViewState {
  readonly now: number
  /** Whether keys have an effect yet; until then the footer is empty. */
  readonly listening: boolean
  readonly env: NodeJS.ProcessEnv
  /** What the run of the selected request printed last; null without one, or while it is not known. */
  readonly output?: readonly string[] | null
}

/** Exactly as many lines as the screen has, none wider than it. */
export function view(inbox: Inbox, { columns, rows }: Size, state: ViewState): Frame {
  const { now, listening } = state
  const footer = listening ? line(cut(keyHints(inbox, columns), columns), 'dim') : line('')
  const bottom = bottomOf(inbox, columns, Math.max(1, rows - 3), footer, now)
  const room = rows - 2 - bottom.lines.length
  const { lines: body, news } = bodyOf(inbox, columns, room, state)
  const top = [header(inbox, columns, news), filterLine(inbox, columns)]
  const filled = [...top, ...body.slice(0, room), ...Array<Line>(Math.max(0, room - body.length)).fill(line(''))]
  const lines = [...filled, ...bottom.lines].slice(-rows).map(one => chop(one, columns)[0] ?? [])
  const { cursor } = bottom
  return { lines, cursor: cursor && { row: lines.length - bottom.lines.length + cursor.row, column: cursor.column } }
}

/** The counts; what does not fit is left out from the end. */
function header({ list }: Inbox, columns: number, news: string): Line {
  const { all, rows, filter, loaded, snoozedCount, showsSnoozed, marked } = list
  const dangerous = all.filter(({ request }) => dangerLevel(request) > 0).length
  const count = !loaded ? 'loading…' : all.length === 0 ? 'nothing is waiting' : `${all.length} waiting`
  const parts = [
    filter === '' ? count : `${count}, ${rows.length} shown`,
    ...(news === '' ? [] : [news]),
    ...(marked.length === 0 ? [] : [`${marked.length} selected`]),
    ...(snoozedCount === 0 ? [] : [`${snoozedCount} snoozed${showsSnoozed ? ', shown' : ''}`]),
  ]
  while (parts.length > 1 && 'Beckon  '.length + parts.join(' · ').length > columns) parts.pop()
  const left = [...line('Beckon', 'bold'), ...line(`  ${parts.join(' · ')}`)]
  return justify(left, dangerous > 0 ? line(`${dangerous} dangerous`, 'red', 'bold') : [], columns)
}

function filterLine({ filter, focus }: Inbox, columns: number): Line {
  if (filter.text === '' || focus === 'filter') return line('')
  return line(cut(`Show only: ${harmlessTitle(filter.text)}`, columns), 'cyan')
}

interface BodyLines {
  readonly lines: readonly Line[]
  /** How many are new and where, for the header. */
  readonly news: string
}

function bodyOf(inbox: Inbox, columns: number, room: number, state: ViewState): BodyLines {
  const { list, focus, targets } = inbox
  const news = list.newCount === 0 ? '' : `${list.newCount} new`
  if (focus === 'help') return { lines: scrolledPart(inbox, help(columns), columns, room), news }
  if (focus === 'facets') return { lines: facetLines(inbox, columns, room), news }
  if (targets.length > 1 && !['list', 'filter'].includes(focus))
    return { lines: targetLines(inbox, columns, room), news }
  const { selected } = list
  if (!selected) return { lines: emptyBody(inbox, columns), news }
  const withDetail = room >= enoughForDetail
  const shown = listLines(list, columns, withDetail ? Math.ceil((room - 1) / 2) : room, withDetail, state.now)
  // Without a rule below the list, the header says where.
  if (!withDetail) return { lines: shown.lines, news: shown.news || news }
  const above = inbox.last ? lastTimeLines(inbox.last, columns, state) : []
  const rest = room - shown.lines.length - 1 - above.length
  const narrower = state.output ? columnsBeside(columns) : null
  const about = detail(selected, narrower ?? columns, rest, state.now)
  const name = selected.run || selected.agent
  const below = narrower === null ? about : beside(about, state.output ?? [], name, columns, rest)
  return { lines: [...shown.lines, rule(shown.position, columns), ...above, ...below], news }
}

/** Shortens the answer, and not who gave it and how to give it again. */
function lastTimeLines(last: EarlierAnswer, columns: number, { env, now }: ViewState): Line[] {
  const step = Math.ceil(columns / 8)
  for (let longest = columns * 2; ; longest -= step) {
    const text = `${lastAnswerText(last, env, now, longest)} · l answer the same`
    const lines = wrap(line(text, 'green'), columns)
    if (lines.length <= lastTimeRows || longest <= step) return lines.slice(0, lastTimeRows)
  }
}

function emptyBody({ list, filter }: Inbox, columns: number): Line[] {
  if (!list.loaded) return []
  const text =
    filter.text === ''
      ? 'Nothing is waiting for you. New requests appear here.'
      : `Nothing matches “${harmlessTitle(filter.text)}”. Press Esc to show everything.`
  return wrap(line(text, 'dim'), columns)
}

/** As many of the parts as fit. */
function rule(parts: readonly string[], columns: number): Line {
  const fitting = parts.filter((_, i) => parts.slice(0, i + 1).join(' · ').length + 4 <= columns)
  const label = fitting.length > 0 ? `── ${fitting.join(' · ')} ` : ''
  return line(`${label}${'─'.repeat(Math.max(0, columns - label.length))}`.slice(0, columns), 'dim')
}
