import type { Request } from '../../protocol/request.ts'
import { ageOf } from '../../text/age.ts'
import { type Line, line, type Style, widthOfLine } from '../../text/styled.ts'
import { cut, pad, widthOf } from '../../text/width.ts'
import { dangerOf, type Item, kindWords } from './item.ts'

/** How wide each part of a row is; a part that has no room is left out. The title gets what the others leave. */
export interface Columns {
  readonly age: number
  readonly kind: number
  readonly agent: number
  readonly run: number
  readonly title: number
}

const pointer = 2
const gap = 2
const age = 3
const sign = 2
const kind = sign + 1 + 8

/** Parts go, the least needed first, before the title becomes too short to be understood. */
export function fitColumns(rows: readonly Item[], columns: number): Columns {
  const most = Math.max(12, Math.floor(columns / 6))
  const agent = Math.min(widest(rows).agent, most)
  const run = Math.min(widest(rows).run, most)
  const choices = [
    { age, kind, agent, run, atLeast: 28 },
    { age, kind, agent, run: 0, atLeast: 28 },
    { age, kind, agent: 0, run: 0, atLeast: 28 },
    { age, kind: sign, agent: 0, run: 0, atLeast: 12 },
    { age: 0, kind: sign, agent: 0, run: 0, atLeast: 1 },
  ]
  const laid = choices.map(({ atLeast, ...widths }) => {
    const parts = Object.values(widths).filter(width => width > 0)
    const title = columns - pointer - parts.reduce((sum, width) => sum + width + gap, 0)
    return { ...widths, title, fits: title >= atLeast }
  })
  return laid.find(({ fits }) => fits) ?? { age: 0, kind: 0, agent: 0, run: 0, title: Math.max(1, columns - pointer) }
}

export function row({ request, title, agent, run }: Item, isLit: boolean, widths: Columns, now: number): Line {
  const danger = dangerOf(request) > 0
  const styles: Style[] = [...(isLit ? ['bold' as const] : []), ...(danger ? ['red' as const] : [])]
  const space = line(' '.repeat(gap))
  const name = widths.run > 0 ? cut(run, widths.run) : ''
  // A row without a run needs no room for its name.
  const room = name ? widths.title : widths.title + (widths.run > 0 ? gap + widths.run : 0)
  return [
    ...line(isLit ? '❯ ' : '  ', 'cyan'),
    ...(widths.age > 0 ? [...line(ageOf(request.createdAt, now).padStart(widths.age), 'dim'), ...space] : []),
    ...(widths.kind > 0 ? [...kindCell(request, widths.kind), ...space] : []),
    ...(widths.agent > 0 ? [...line(pad(cut(agent, widths.agent), widths.agent)), ...space] : []),
    ...line(name ? pad(cut(title, room), room) : cut(title, room), ...styles),
    ...(name ? [...space, ...line(name, 'dim')] : []),
  ]
}

/** A sign that is read at a glance, also without colour, and the word for it where there is room. */
export const signs: Record<Request['kind'], string> = { question: '?', dependency: '+', approval: '>', review: '#' }
const dangerSigns = ['', '!', '!!'] as const

function kindCell(request: Request, width: number): Line {
  const danger = dangerOf(request)
  const mark = (dangerSigns[danger] || signs[request.kind]).padStart(2)
  const word = width > sign ? ` ${pad(kindWords[request.kind], 8)}` : ''
  return danger > 0 ? line(`${mark}${word}`, 'red', 'bold') : [...line(mark, 'cyan'), ...line(word)]
}

interface Widest {
  readonly agent: number
  readonly run: number
}

// Measured once for each arrangement of the list, and not for every frame of it.
const measured = new WeakMap<readonly Item[], Widest>()

function widest(rows: readonly Item[]): Widest {
  const known = measured.get(rows)
  if (known) return known
  const most = (texts: string[]) => texts.reduce((width, text) => Math.max(width, widthOf(text)), 0)
  const found = { agent: most(rows.map(({ agent }) => agent)), run: most(rows.map(({ run }) => run)) }
  measured.set(rows, found)
  return found
}

/** Two texts at both ends of one line; the right one goes where there is no room for it. */
export function ends(left: Line, right: Line, columns: number): Line {
  const space = columns - widthOfLine(left) - widthOfLine(right)
  return space < 1 ? left : [...left, ...line(' '.repeat(space)), ...right]
}
