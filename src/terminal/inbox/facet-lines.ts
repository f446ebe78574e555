import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import type { Inbox } from './inbox.ts'

const nameWidth = 9

/** What the list can be narrowed to, around the highlighted line. */
export function facetLines({ facets, facet, list }: Inbox, columns: number, room: number): Line[] {
  const lines = [
    { name: 'everything', value: '', count: list.all.length },
    ...facets.map(({ facet: name, value, count }) => ({ name, value, count })),
  ].map(({ name, value, count }, i) => {
    const text = value === '' ? name : `${name.padEnd(nameWidth)}${value}`
    const tail = `  ${count}`
    const shown = `${cut(text, Math.max(1, columns - 2 - tail.length))}${tail}`
    return i === facet ? [...line('❯ ', 'cyan'), ...line(shown, 'bold')] : [...line('  '), ...line(shown)]
  })
  const from = Math.max(0, Math.min(facet - Math.floor(room / 2), lines.length - room))
  return lines.slice(from, from + room)
}
