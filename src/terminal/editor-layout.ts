import { harmless } from '../text/harmless.ts'
import { type Line, line, type Span, widthOfLine } from '../text/styled.ts'
import { graphemesIn, widthOf } from '../text/width.ts'
import { type Editor, pasteIn } from './editor.ts'

interface EditorLayout {
  lines: Line[]
  row: number
  column: number
}

const ascii = /^[\x20-\x7e]*$/
const anyPaste = /([\udc00-\udfff])/u
// From key to key, most lines stay the same.
const mostKnown = 20_000
let known = { columns: 0, lines: new Map<string, Line[]>() }

/**
 * The text of an editor as it is shown, folded at the edge of the screen, and the row and column of its cursor. A long
 * paste is shown by its length. Masked, every character is a dot.
 */
export function layOutEditor(editor: Editor, columns: number, { masked = false } = {}): EditorLayout {
  const { shown, cursor, pastes } = masked ? mask(editor) : editor
  const lines: Line[] = []
  let row = 0
  let column = 0
  let start = 0
  for (const text of shown.split('\n')) {
    const end = start + text.length
    if (start <= cursor && cursor <= end) setCursor(text, cursor - start)
    for (const folded of foldLine(text, columns, pastes)) lines.push(folded)
    start = end + 1
  }
  // After a full line at the end, the next letter would be on a line of its own.
  if (row === lines.length) lines.push([])
  return { lines, row, column }

  function setCursor(text: string, at: number) {
    const above = fold(text.slice(0, at), columns, pastes)
    row = lines.length + above.length - 1
    column = widthOfLine(above.at(-1) ?? [])
    const [next] = graphemesIn(spansOf(text.slice(at, at + 64), pastes)[0]?.text ?? '')
    const isLast = start + text.length === shown.length
    if (column + (next ? widthOf(next.segment) : isLast ? 1 : 0) <= columns) return
    row += 1
    column = 0
  }
}

/** The text with each long paste by its length. */
export function shownText({ shown, pastes }: Pick<Editor, 'shown' | 'pastes'>): string {
  return shown.replaceAll(new RegExp(anyPaste, 'gu'), character => lengthOf(pastes[pasteIn(character)] ?? ''))
}

/** Folded lines are remembered, except those with pastes, which other editors number differently. */
function foldLine(text: string, columns: number, pastes: readonly string[]): Line[] {
  if (pastes.length > 0 && anyPaste.test(text)) return fold(text, columns, pastes)
  if (known.columns !== columns || known.lines.size > mostKnown) known = { columns, lines: new Map() }
  const remembered = known.lines.get(text)
  if (remembered) return remembered
  const lines = fold(text, columns, pastes)
  known.lines.set(text, lines)
  return lines
}

function fold(text: string, columns: number, pastes: readonly string[]): Line[] {
  if (ascii.test(text)) return foldAscii(text, columns)
  const lines: Span[][] = [[]]
  let width = 0
  for (const span of spansOf(text, pastes)) {
    let row = ''
    for (const { segment } of graphemesIn(span.text)) {
      const wide = widthOf(segment)
      if (width + wide > columns) {
        if (row !== '') lines.at(-1)?.push({ ...span, text: row })
        lines.push([])
        row = ''
        width = 0
      }
      row += segment
      width += wide
    }
    if (row !== '') lines.at(-1)?.push({ ...span, text: row })
  }
  return lines
}

function foldAscii(text: string, columns: number): Line[] {
  if (text.length <= columns) return [line(text)]
  return Array.from({ length: Math.ceil(text.length / columns) }, (_, i) =>
    line(text.slice(i * columns, (i + 1) * columns)),
  )
}

function spansOf(text: string, pastes: readonly string[]): Span[] {
  return text
    .split(anyPaste)
    .filter(part => part !== '')
    .map(part => {
      const paste = pastes[pasteIn(part)]
      return paste === undefined
        ? { text: harmless(part.replaceAll('\t', '  ')) }
        : { text: lengthOf(paste), styles: ['dim'] }
    })
}

function lengthOf(paste: string): string {
  const lines = paste.replace(/\n$/, '').split('\n').length
  return lines > 1 ? `[${count(lines)} lines pasted]` : `[${count(paste.length)} characters pasted]`
}

function count(number: number): string {
  return number.toLocaleString('en')
}

function mask({ text, at }: Editor): Pick<Editor, 'shown' | 'cursor' | 'pastes'> {
  const dots = (part: string) => '•'.repeat([...part].length)
  return { shown: dots(text), cursor: dots(text.slice(0, at)).length, pastes: [] }
}
