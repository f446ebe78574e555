import { harmlessTitle } from '../../text/harmless.ts'
import { line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import { isDangerous } from '../verdict-lines.ts'
import type { Dialog, Focus } from './dialog.ts'
import type { Body } from './scroll.ts'

/** What the person writes, below what it is for. */
export function editorBody({ focus, form, step, editor, judged }: Dialog, columns: number): Body {
  if (focus === 'verdict' && judged && !isDangerous(judged.verdict)) return sendBody(columns)
  const { secret, question, textRequiredBy, confirmation } = form.field(step)
  const titles: Partial<Record<Focus, string>> = {
    note: 'A note to go with the answer:',
    decline: 'Why do you decline this request?',
    message: 'Your message to the agent. The request stays open:',
    edit: 'Change it, then press Enter. The guard checks your version before you approve it:',
    verdict: 'Your version is dangerous. Type yes to approve it:',
    confirmation: `This is dangerous. Type ${confirmation?.word ?? ''} to approve it:`,
    text: textRequiredBy !== null ? 'What should be changed?' : question.options.length > 0 ? 'Your own answer:' : '',
  }
  const title = titles[focus] ?? ''
  const isHidden = secret && focus === 'text'
  const { lines, row, column } = layOutEditor(editor, columns - 2, { masked: isHidden })
  const byDefault = editor.text === '' && focus === 'text' ? [question.default ?? []].flat().join(', ') : ''
  const written = byDefault
    ? [line(`Enter for ${cut(harmlessTitle(byDefault), Math.max(8, columns - 14))}`, 'dim')]
    : lines
  const head = title ? [...(focus === 'edit' ? [line('')] : []), ...wrap(line(title, 'bold'), columns)] : []
  const all = [...head, ...written.map(one => [...line('▏ ', 'cyan'), ...one])]
  const at = head.length + row
  return { lines: all, focus: { from: at, to: at + 1 }, cursor: { row: at, column: column + 2 } }
}

/** Nothing is to be written: Enter sends. */
function sendBody(columns: number): Body {
  const lines = wrap(line('Press Enter to approve your version.', 'bold'), columns)
  return { lines, focus: { from: 0, to: lines.length }, cursor: null }
}
