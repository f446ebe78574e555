import { alwaysLabels } from '../../rules/questions.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { indented, paragraphs } from '../paragraphs.ts'
import type { Dialog } from './dialog.ts'
import { numberOf, type Row, rowTitles } from './option-rows.ts'

/** One row of a list of options: its number, its label, and below it what it means. */
export function rowLines(dialog: Dialog, row: Row, highlighted: boolean, columns: number): Line[] {
  const { form, step } = dialog
  const { question } = form.field(step)
  const { chosen, own, text } = form.entry(step)
  const pointer = highlighted ? line('❯ ', 'cyan') : line('  ')
  const isChosen = row.kind === 'option' ? chosen.includes(row.position) : row.kind === 'other' && own
  const box =
    question.multiSelect && row.kind !== 'blank'
      ? line(isChosen ? '[x] ' : '[ ] ', ...(isChosen ? ['green' as const] : []))
      : []
  const tick = !question.multiSelect && isChosen ? line(' ✔', 'green') : []
  const styles = highlighted ? (['cyan', 'bold'] as const) : []
  const margin = question.multiSelect ? 6 : 2
  const hint = numberHint(dialog, row)
  const hanging = margin + hint.length
  switch (row.kind) {
    case 'blank':
      return wrap([...pointer, ...line('Leave this one blank', ...styles)], columns, 2)
    case 'edit':
    case 'reason':
      return wrap([...pointer, ...line(`${hint}${rowTitles[row.kind]}`, ...styles)], columns, hanging)
    case 'other': {
      const isEmpty = text.trim() === '' || (highlighted && dialog.focus === 'text')
      const own = isEmpty ? line('Other…', ...styles) : [...line('Other: ', ...styles), ...line(harmlessTitle(text))]
      return wrap([...pointer, ...box, ...line(hint, ...styles), ...own, ...tick], columns, hanging + 7)
    }
    case 'option': {
      const { label = '', description = '' } = question.options[row.position] ?? {}
      const titled = line(
        `${hint}${harmlessTitle(form.request.kind === 'approval' ? (labelTitles[label] ?? label) : label)}`,
        ...styles,
      )
      const about = description ? paragraphs(description, columns - hanging, ['dim']) : []
      const rows = wrap([...pointer, ...box, ...titled, ...tick], columns, hanging)
      return [...rows, ...indented(about, ' '.repeat(hanging))]
    }
  }
}

/** The options of an approval that make a rule; what exactly they allow is below them. */
const labelTitles: Record<string, string> = {
  [alwaysLabels.exact]: 'yes, and always for exactly this',
  [alwaysLabels.prefix]: 'yes, and always for commands like this',
}

/** Beyond nine options, digits filter. */
function numberHint({ form, step }: Dialog, row: Row): string {
  const number = numberOf(form, step, row)
  if (number === null || (number === 0 && form.field(step).question.options.length > 9)) return ''
  return `${number}. `
}
