import { graphemesIn, widthOf } from '../text/width.ts'

interface EditorLayout {
  lines: string[]
  row: number
  column: number
}

/** Folds text at the edge of the screen, and finds the row and column of its cursor. */
export function layOutEditor(text: string, at: number, columns: number): EditorLayout {
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
    if (index === at) setCursor()
    if (grapheme !== '\n') {
      lines[lines.length - 1] += grapheme
      width += wide
    }
  }
  for (const { segment, index } of graphemesIn(text)) {
    // Before a line break, the cursor is at the end of the line, not on the next one.
    if (segment === '\n' && index === at) setCursor()
    put(segment, segment === '\n' ? -1 : index)
  }
  if (at >= text.length) {
    if (width >= columns) {
      lines.push('')
      width = 0
    }
    setCursor()
  }
  return { lines, row, column }

  function setCursor() {
    row = lines.length - 1
    column = width
  }
}
