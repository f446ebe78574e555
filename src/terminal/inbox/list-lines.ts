import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import type { Group } from './group.ts'
import type { Item } from './item.ts'
import type { RequestList } from './request-list.ts'
import { fitColumns, row } from './row.ts'

export interface ListLines {
  readonly lines: readonly Line[]
  /** Which requests these are, how many are above and below, and how many of those are new. Empty if all are shown. */
  readonly position: readonly string[]
  /** The part about what is new. */
  readonly news: string
}

/** The rows around the selected one, in at most this many lines. */
export function listLines(
  list: RequestList,
  columns: number,
  most: number,
  withHeadings: boolean,
  now: number,
): ListLines {
  const { rows, groups, selected } = list
  // A low screen has no room for headings.
  const entries = withHeadings ? entriesOf(groups) : rows.map(item => ({ item, isNamed: false }))
  const at = entries.findIndex(entry => 'item' in entry && entry.item === selected)
  const height = Math.min(entries.length, most)
  const from = Math.min(Math.max(0, at - Math.floor(height / 2)), entries.length - height)
  const widths = { named: fitColumns(rows, columns, { withAgent: false }), unnamed: fitColumns(rows, columns) }
  const window = entries.slice(from, from + height)
  const lines = window.map(entry => {
    if ('heading' in entry) return line(cut(entry.heading, columns), 'dim')
    const { item, isNamed } = entry
    const state = { isSelected: item === selected, isMarked: list.isMarked(item), isNew: list.isNew(item) }
    return row(item, state, isNamed ? widths.named : widths.unnamed, now)
  })
  if (height === entries.length) return { lines, position: [], news: '' }
  const shown = window.flatMap(entry => ('item' in entry ? [entry.item] : []))
  return { lines, ...positionOf(list, shown) }
}

function positionOf(list: RequestList, shown: readonly Item[]): Pick<ListLines, 'position' | 'news'> {
  const { rows } = list
  const first = shown[0] ? rows.indexOf(shown[0]) : 0
  const [above, below] = [rows.slice(0, first), rows.slice(first + shown.length)]
  const countNew = (items: readonly Item[]) => (list.newCount === 0 ? 0 : items.filter(item => list.isNew(item)).length)
  const [newAbove, newBelow] = [countNew(above), countNew(below)]
  const news = [...(newAbove > 0 ? [`↑ ${newAbove} new`] : []), ...(newBelow > 0 ? [`↓ ${newBelow} new`] : [])]
  const position = [
    `${first + 1}–${first + shown.length} of ${rows.length}`,
    ...news,
    ...(below.length > 0 ? [`↓ ${below.length} more`] : []),
    ...(above.length > 0 ? [`↑ ${above.length} more`] : []),
  ]
  return { position, news: news.join(' · ') }
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
