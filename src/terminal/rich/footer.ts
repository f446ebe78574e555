import { type Line, line } from '../../text/styled.ts'
import { cut, widthOf } from '../../text/width.ts'
import type { Dialog } from './dialog.ts'

/** The keys that do something here, so that nobody has to know them; on a small screen, the first of them. */
export function footer(dialog: Dialog, columns: number, rows: number): Line[] {
  const keys = keysOf(dialog)
  for (;;) {
    const lines = inRows(keys, columns).map(row => line(row, 'dim'))
    if (lines.length <= Math.max(1, rows / 5) || keys.length <= 1) return lines.slice(0, 2)
    keys.pop()
  }
}

/** A key and what it does stay together. */
function inRows(keys: readonly string[], columns: number): string[] {
  const rows = ['']
  for (const key of keys) {
    const longer = rows.at(-1) ? `${rows.at(-1)} · ${key}` : key
    if (widthOf(longer) <= columns || !rows.at(-1)) rows[rows.length - 1] = cut(longer, columns)
    else rows.push(cut(key, columns))
  }
  return rows
}

function keysOf({ place, form, step, onEscape }: Dialog): string[] {
  const { question } = form.field(step)
  const isFree = question.options.length === 0
  const batch = form.fields.length > 1
  const ways = [
    ...(batch && step > 0 ? [isFree ? '⇧Tab back' : '← back'] : []),
    'Tab note',
    ...(form.request.required ? [] : ['^S skip']),
    '^X decline',
    onEscape,
    '^C leave open',
  ]
  switch (place) {
    case 'list': {
      const filter = question.options.length > 9 ? ['type to filter'] : []
      if (question.multiSelect) return ['↑↓ move', 'Space choose', 'Enter go on', ...filter, ...ways]
      return ['↑↓ move', 'Enter choose', ...filter, ...ways]
    }
    case 'text':
      if (isFree) return ['Enter send', ...(form.field(step).secret ? [] : ['^J new line']), ...ways]
      return ['Enter done', '^J new line', 'Esc back to the options']
    case 'note':
      return ['Enter done', '^J new line', 'Esc back']
    case 'word':
    case 'decline':
      return ['Enter confirm', 'Esc back']
    case 'review':
      return ['Enter send', '↑↓ move', '1–9 change an answer', ...ways.filter(way => way !== 'Tab note')]
    default:
      return []
  }
}
