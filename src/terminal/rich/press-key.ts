import { isEnter, type Key } from '../keys.ts'
import type { Dialog, Effect } from './dialog.ts'
import { pressInEditor } from './editor-keys.ts'
import { pressInList } from './list-keys.ts'
import { pressInReview, pressInSkip } from './review-keys.ts'

/**
 * What a key does, depending on the focus. Only an Enter that was pressed once and not pasted leads to a decision: at
 * the end of the form, after a reason to decline, or to confirm skipping; and Ctrl-L, which answers as last time.
 */
export function pressKey(dialog: Dialog, key: Key): Effect | null {
  const effect = press(dialog, key)
  dialog.saveText()
  return effect
}

function press(dialog: Dialog, key: Key): Effect | null {
  if (key.ctrl && key.name === 'c') return 'leave'
  if (key.ctrl && key.name === 'd' && !key.pasted) return 'leave'
  if (key.name === 'pageup' || key.name === 'pagedown') {
    dialog.scrolled += key.name === 'pageup' ? -dialog.page : dialog.page
    return null
  }
  dialog.scrolled = 0
  dialog.message = null
  if (key.ctrl && !key.pasted && dialog.focus !== 'folded') {
    if (key.name === 'o') return dialog.toggleOffer()
    const discarded = key.name === 'g' ? dialog.discardOffer() : null
    if (discarded) return discarded
    if (key.name === 'l') return dialog.answerAgain(key)
    if (key.name === 'r') return dialog.askBack()
  }
  switch (dialog.focus) {
    case 'folded':
      if (isEnter(key)) dialog.unfold()
      return null
    case 'list':
      return pressInList(dialog, key)
    case 'review':
      return pressInReview(dialog, key)
    case 'skip':
      return pressInSkip(dialog, key)
    default:
      return pressInEditor(dialog, key)
  }
}
