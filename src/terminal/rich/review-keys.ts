import { isEnter, type Key } from '../keys.ts'
import type { Dialog, Effect } from './dialog.ts'
import { moves, pressControl } from './list-keys.ts'

/** Keys in the list of all answers of a batch. */
export function pressInReview(dialog: Dialog, key: Key): Effect | null {
  const count = dialog.form.fields.length
  if (key.pasted) return null
  if (key.ctrl) return pressControl(dialog, key)
  const by = moves[key.name]
  if (by !== undefined) {
    dialog.reviewLine = Math.min(Math.max(dialog.reviewLine + by, 0), count)
    return null
  }
  if (key.name === 'left' || (key.name === 'tab' && key.shift)) return dialog.goTo(count - 1)
  if (key.name === 'escape') return 'fold'
  if (/^[1-9]$/.test(key.text) && Number(key.text) <= count) return dialog.goTo(Number(key.text) - 1)
  if (!isEnter(key)) return null
  return dialog.reviewLine < count ? dialog.goTo(dialog.reviewLine) : dialog.send()
}

/** Keys while the person is asked to confirm skipping: Enter skips, any other key goes back. */
export function pressInSkip(dialog: Dialog, key: Key): Effect | null {
  if (key.pasted) return null
  if (isEnter(key)) return { decide: { verb: 'skip', note: dialog.form.entry(0).note.trim() || null } }
  // A Ctrl-S that is still held down is the one that asked.
  return key.ctrl && key.name === 's' ? null : dialog.cancelSkip()
}
