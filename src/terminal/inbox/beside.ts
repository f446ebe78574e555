import { type Line, line, widthOfLine } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'

// On a narrower screen, the request needs all of it.
const enoughColumns = 100
const between = ' │ '

/** The columns left for the request if the output of its run is beside it; null if there is no room. */
export function columnsBeside(columns: number): number | null {
  return columns < enoughColumns ? null : Math.floor(columns * 0.55) - between.length
}

/** The request, and beside it what its run printed last. */
export function beside(
  left: readonly Line[],
  output: readonly string[],
  name: string,
  columns: number,
  room: number,
): Line[] {
  const width = columnsBeside(columns) ?? columns
  const rest = columns - width - between.length
  const last = output.slice(-Math.max(0, room - 1))
  const right = [line(cut(`${name}: last lines`, rest), 'dim'), ...last.map(text => line(cut(text, rest)))]
  const rows = Math.max(left.length, right.length)
  return Array.from({ length: rows }, (_, i) => {
    const one = left[i] ?? []
    const space = ' '.repeat(Math.max(0, width - widthOfLine(one)))
    return [...one, ...line(space), ...line(between, 'dim'), ...(right[i] ?? [])]
  })
}
