import { type Line, line, widthOfLine } from '../../text/styled.ts'
import { renderPreview } from '../markdown/preview.ts'
import { indented } from '../paragraphs.ts'
import type { Dialog } from './dialog.ts'
import type { Body } from './scroll.ts'

// On a terminal as wide as this, there is room beside the options.
const wide = 100
const gap = '  '

/** The whole preview of the highlighted option: it can be scrolled, so nothing is cut. */
export function previewLines(dialog: Dialog, columns: number): Line[] {
  const preview = dialog.focus === 'list' && !isBeside(dialog, columns) ? highlighted(dialog) : ''
  return preview === '' ? [] : [line(''), ...indented(renderPreview(preview, columns - 2), '│ ')]
}

/** The options, and beside them the preview of the highlighted one, if the terminal is wide enough. */
export function besidePreview(dialog: Dialog, columns: number, options: (columns: number) => Body): Body {
  if (!isBeside(dialog, columns)) return options(columns)
  const left = Math.floor((columns - gap.length) / 2)
  const body = options(left)
  const room = columns - left - gap.length - 2
  const preview = dialog.focus === 'list' ? highlighted(dialog) : ''
  const right = preview === '' ? [] : renderPreview(preview, room)
  const lines = Array.from({ length: Math.max(body.lines.length, right.length) }, (_, i) => {
    const one = body.lines[i] ?? []
    const other = right[i]
    if (!other) return one
    return [
      ...one,
      ...line(`${' '.repeat(Math.max(0, left - widthOfLine(one)))}${gap}`),
      ...line('│ ', 'dim'),
      ...other,
    ]
  })
  return { ...body, lines }
}

/** The width of the options must not change from option to option. */
function isBeside({ form, step }: Dialog, columns: number): boolean {
  return columns >= wide && form.field(step).question.options.some(({ preview }) => preview.trim() !== '')
}

function highlighted({ list, form, step }: Dialog): string {
  const row = list.row()
  const preview = row?.kind === 'option' ? form.field(step).question.options[row.position]?.preview : ''
  return preview?.trim() ? preview : ''
}
