import type { Request } from '../../protocol/request.ts'
import { dueOf } from '../../rules/deadlines.ts'
import { shortIds } from '../../rules/short-ids.ts'
import { ageOf } from '../../text/age.ts'
import { type Line, line, type Style, widthOfLine } from '../../text/styled.ts'
import { cut, pad, widthOf } from '../../text/width.ts'
import { dangerLevel, type Item, kindWords } from './item.ts'

/** The width of each part of a row; 0 leaves a part out. The title gets what is left. */
export interface Columns {
  readonly age: number
  readonly kind: number
  readonly agent: number
  readonly run: number
  /** The end of the id, which commands take instead of the whole. */
  readonly id: number
  readonly title: number
}

// The pointer, a mark and a space.
const pointer = 3
const gap = 2
const age = 3
const sign = 2
const kind = sign + 1 + 8

/** Drops the least important parts first, before the title becomes too short. */
export function fitColumns(rows: readonly Item[], columns: number, { withAgent = true } = {}): Columns {
  const most = Math.max(12, Math.floor(columns / 6))
  const agent = withAgent ? Math.min(widest(rows).agent, most) : 0
  const run = Math.min(widest(rows).run, most)
  const { id } = widest(rows)
  const choices = [
    { age, kind, agent, run, id, atLeast: 28 },
    { age, kind, agent, run, id: 0, atLeast: 28 },
    { age, kind, agent, run: 0, id: 0, atLeast: 28 },
    { age, kind, agent: 0, run: 0, id: 0, atLeast: 28 },
    { age, kind: sign, agent: 0, run: 0, id: 0, atLeast: 12 },
    { age: 0, kind: sign, agent: 0, run: 0, id: 0, atLeast: 1 },
  ]
  const laid = choices.map(({ atLeast, ...widths }) => {
    const parts = Object.values(widths).filter(width => width > 0)
    const title = columns - pointer - parts.reduce((sum, width) => sum + width + gap, 0)
    return { ...widths, title, fits: title >= atLeast }
  })
  const nothingElse = { age: 0, kind: 0, agent: 0, run: 0, id: 0, title: Math.max(1, columns - pointer) }
  return laid.find(({ fits }) => fits) ?? nothingElse
}

interface RowState {
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly isNew: boolean
}

/** Beside the pointer: what the person marked, and what they have not seen. */
export const marks = { marked: '✓', new: '•' }

export function row({ request, title, agent, run }: Item, state: RowState, widths: Columns, now: number): Line {
  const { isSelected, isMarked, isNew } = state
  const danger = dangerLevel(request) > 0
  const styles: Style[] = [...(isSelected ? ['bold' as const] : []), ...(danger ? ['red' as const] : [])]
  const space = line(' '.repeat(gap))
  const name = widths.run > 0 ? cut(run, widths.run) : ''
  // Without a run, its column belongs to the title.
  const room = name ? widths.title : widths.title + (widths.run > 0 ? gap + widths.run : 0)
  return [
    ...line(isSelected ? '❯' : ' ', 'cyan'),
    ...(isMarked ? line(marks.marked, 'green') : isNew ? line(marks.new, 'yellow', 'bold') : line(' ')),
    ...line(' '),
    ...(widths.age > 0
      ? [...line(ageOf(request.createdAt, now).padStart(widths.age), ageStyle(request, now)), ...space]
      : []),
    ...(widths.kind > 0 ? [...kindCell(request, widths.kind), ...space] : []),
    ...(widths.agent > 0 ? [...line(pad(cut(agent, widths.agent), widths.agent)), ...space] : []),
    ...line(name || widths.id > 0 ? pad(cut(title, room), room) : cut(title, room), ...styles),
    ...(name ? [...space, ...line(widths.id > 0 ? pad(name, widths.run) : name, 'dim')] : []),
    ...(widths.id > 0 ? [...space, ...line(request.id.slice(-widths.id), 'dim')] : []),
  ]
}

function ageStyle(request: Request, now: number): Style {
  return dueOf(request, now)?.state === 'overdue' ? 'yellow' : 'dim'
}

/** A sign that is recognisable without colour, followed by a word if there is room. */
export const signs: Record<Request['kind'], string> = { question: '?', dependency: '+', approval: '>', review: '#' }
const dangerSigns = ['', '!', '!!'] as const

function kindCell(request: Request, width: number): Line {
  const danger = dangerLevel(request)
  const mark = (dangerSigns[danger] || signs[request.kind]).padStart(2)
  const word = width > sign ? ` ${pad(kindWords[request.kind], 8)}` : ''
  return danger > 0 ? line(`${mark}${word}`, 'red', 'bold') : [...line(mark, 'cyan'), ...line(word)]
}

interface Widest {
  readonly agent: number
  readonly run: number
  readonly id: number
}

// Measured once per arrangement of the list, not for every frame.
const measured = new WeakMap<readonly Item[], Widest>()

function widest(rows: readonly Item[]): Widest {
  const known = measured.get(rows)
  if (known) return known
  const most = (texts: string[]) => texts.reduce((width, text) => Math.max(width, widthOf(text)), 0)
  const [id = ''] = shortIds(rows.map(({ request }) => request.id))
  const found = { agent: most(rows.map(({ agent }) => agent)), run: most(rows.map(({ run }) => run)), id: id.length }
  measured.set(rows, found)
  return found
}

/** Two texts at both ends of a line. Drops the right one if there is no room for it. */
export function justify(left: Line, right: Line, columns: number): Line {
  const space = columns - widthOfLine(left) - widthOfLine(right)
  return space < 1 ? left : [...left, ...line(' '.repeat(space)), ...right]
}
