import { type Line, line } from '../../text/styled.ts'
import { cut, widthOf } from '../../text/width.ts'
import type { Dialog } from './dialog.ts'

/** The keys that do something here. On a small screen, only the first ones. */
export function footer(dialog: Dialog, columns: number, rows: number): Line[] {
  const keys = keyHints(dialog)
  for (;;) {
    const lines = inRows(keys, columns).map(row => line(row, 'dim'))
    if (lines.length <= Math.max(1, rows / 5) || keys.length <= 1) return lines.slice(0, 2)
    keys.pop()
  }
}

/** Never breaks a line between a key and what it does. */
export function inRows(keys: readonly string[], columns: number): string[] {
  const rows = ['']
  for (const key of keys) {
    const longer = rows.at(-1) ? `${rows.at(-1)} · ${key}` : key
    if (widthOf(longer) <= columns || !rows.at(-1)) rows[rows.length - 1] = cut(longer, columns)
    else rows.push(cut(key, columns))
  }
  return rows
}

function keyHints({ focus, form, step, list, escapeHint, isWritingPath }: Dialog): string[] {
  const { question, secret } = form.field(step)
  const isFiltered = focus === 'list' && list.filter !== ''
  const hasNoOptions = question.options.length === 0
  const common = [
    ...(step > 0 ? [hasNoOptions ? '⇧Tab back' : '← back'] : []),
    isWritingPath ? 'Tab complete' : 'Tab note',
    ...(form.request.required ? [] : ['^S skip']),
    '^X decline',
    ...(form.request.canReply ? ['^R ask back'] : []),
    isFiltered ? 'Esc show all' : escapeHint,
    '^C leave open',
  ]
  switch (focus) {
    case 'list': {
      const filter = question.options.length > 9 ? ['type to filter'] : []
      if (question.multiSelect) return ['↑↓ move', 'Space choose', 'Enter continue', ...filter, ...common]
      return ['↑↓ move', 'Enter choose', ...filter, ...common]
    }
    case 'text':
      if (!hasNoOptions) return ['Enter done', '^J new line', 'Esc back to the options', '^G editor']
      // A small screen shows the first ones: how to leave matters more than the editor.
      return ['Enter send', ...(secret ? common : ['^J new line', ...common, '^G editor'])]
    case 'message':
      return ['Enter send', '^J new line', 'Esc back', '^G editor']
    case 'note':
      return ['Enter done', '^J new line', 'Esc back', '^G editor']
    case 'edit':
      return ['Enter check it', '^J new line', 'Esc back', '^G editor']
    case 'verdict':
      return ['Enter approve your version', 'Esc change it again']
    case 'confirmation':
    case 'decline':
      return ['Enter confirm', 'Esc back']
    case 'review':
      return ['Enter send', '↑↓ move', '1–9 change an answer', ...common.filter(hint => hint !== 'Tab note')]
    default:
      return []
  }
}
