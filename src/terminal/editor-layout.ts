import { widthOf } from '../text/width.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text as it is being written: folded at the edge of the screen, and where its cursor is then. */
export function layOut(text: string, at: number, columns: number): { lines: string[]; row: number; column: number } {
  const lines = ['']
  let width = 0
  let row = 0
  let column = 0
  const put = (grapheme: string, index: number) => {
    const wide = widthOf(grapheme)
    if (grapheme === '\n' || width + wide > columns) {
      lines.push('')
      width = 0
    }
    if (index === at) mark()
    if (grapheme !== '\n') {
      lines[lines.length - 1] += grapheme
      width += wide
    }
  }
  for (const { segment, index } of graphemes.segment(text)) {
    // Before a line break the cursor stands at the end of the line, not on the next.
    if (segment === '\n' && index === at) mark()
    put(segment, segment === '\n' ? -1 : index)
  }
  if (at >= text.length) {
    if (width >= columns) {
      lines.push('')
      width = 0
    }
    mark()
  }
  return { lines, row, column }

  function mark() {
    row = lines.length - 1
    column = width
  }
}
