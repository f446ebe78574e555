import { edit } from '../editor.ts'
import { isEnter, type Key } from '../keys.ts'
import { noSuchOption } from '../no-such-option.ts'
import type { Dialog, Effect } from './dialog.ts'

const longestFilter = 200

export function pressInList(dialog: Dialog, key: Key): Effect | null {
  const { list, form, step } = dialog
  // Pasted text never chooses an option.
  if (key.pasted) return key.text.trim() === '' ? null : type(dialog, key)
  if (key.ctrl) return pressControl(dialog, key)
  const by = moves[key.name]
  if (by !== undefined) return list.move(by)
  switch (key.name) {
    case 'left':
      return dialog.back()
    case 'right':
      // The arrow never sends anything.
      return form.fields.length > 1 ? dialog.advance() : null
    case 'tab':
      return key.shift ? dialog.back() : dialog.openEditor('note')
    case 'return':
      return isEnter(key) ? take(dialog, key) : null
    case 'escape':
      return list.filter === '' ? 'fold' : list.search('')
    case 'backspace':
      return list.search([...list.filter].slice(0, -1).join(''))
    case 'space':
      if (form.field(step).question.multiSelect && toggle(dialog)) return null
  }
  if (key.text === '' || list.jump(key.text)) return null
  return type(dialog, key)
}

export const moves: Record<string, number> = { up: -1, down: 1, home: -Infinity, end: Infinity }

export function pressControl(dialog: Dialog, { name }: Key): Effect | null {
  if (name === 'p' || name === 'n') return dialog.list.move(name === 'p' ? -1 : 1)
  if (name === 'u') return dialog.list.search('')
  if (name === 'x') return dialog.openEditor('decline')
  if (name === 's') return dialog.askToSkip()
  return null
}

/** Letters typed on the row of the custom answer become part of it; elsewhere they filter the list. */
function type(dialog: Dialog, key: Key): null {
  const { filter } = dialog.list
  if (dialog.list.row()?.kind === 'other' && filter === '') {
    dialog.openEditor('text')
    dialog.editor = edit(dialog.editor, key) ?? dialog.editor
  } else if (dialog.list.isNumberWithoutOption(filter + key.text))
    return dialog.say(noSuchOption(filter + key.text, dialog.list.highestNumber))
  else if (key.text.trim() !== '' || filter !== '') dialog.list.search(filter + onOneLine(key.text))
  return null
}

function onOneLine(text: string): string {
  return text.slice(0, longestFilter).replaceAll(/[\t\n]+/g, ' ')
}

/** Space toggles an option; the custom answer too, once it has a text. */
function toggle(dialog: Dialog): boolean {
  const { form, step, list } = dialog
  if (list.row()?.kind !== 'other') return list.toggle()
  const { own, text } = form.entry(step)
  if (own || text.trim() !== '') form.change(step, { own: !own })
  else dialog.openEditor('text')
  return true
}

/** Enter on a row. If several options may be chosen, Space chooses, and Enter continues with what is chosen. */
function take(dialog: Dialog, { hasty }: Key): Effect | null {
  const { form, step, list } = dialog
  const { question, textRequiredBy, confirmation } = form.field(step)
  const row = list.row()
  const hasChoices = question.multiSelect && !form.isBlank(step)
  if (hasty) return dialog.say('That arrived all at once. Press Enter again to confirm.')
  if (!row && !hasChoices) {
    const hint =
      list.filter === '' ? 'Choose with ↑↓ or a number first.' : 'Nothing matches. Press Esc to show all options.'
    return dialog.say(hint)
  }
  if (row?.kind === 'other' && !(question.multiSelect && form.entry(step).own)) return dialog.openEditor('text')
  if (row?.kind === 'edit') return dialog.openEditor('edit')
  if (row?.kind === 'reason') return dialog.openEditor('decline')
  if (row?.kind === 'blank') {
    form.clear(step)
    return dialog.advance()
  }
  if (question.multiSelect) {
    return hasChoices ? dialog.advance() : dialog.say('Nothing is chosen yet. Press Space to choose, then Enter.')
  }
  if (row?.kind !== 'option') return null
  form.choose(step, row.position)
  const label = question.options[row.position]?.label
  if (label === textRequiredBy) return dialog.openEditor('text')
  if (label === confirmation?.label) return dialog.openEditor('confirmation')
  return dialog.advance()
}
