import { edit } from '../editor.ts'
import { isEnter, type Key, withoutLineBreak } from '../keys.ts'
import type { Dialog, Effect } from './dialog.ts'

/** Keys while the person writes: an answer, a note, a reason to decline, a message, or the word that confirms. */
export function pressInEditor(dialog: Dialog, key: Key): Effect | null {
  const { focus } = dialog
  // Pasted keys are text, whatever they would do when typed.
  if (key.pasted) return type(dialog, key)
  const hasNoOptions = focus === 'text' && dialog.form.field(dialog.step).question.options.length === 0
  if (key.ctrl && key.name === 'x' && focus !== 'decline') return dialog.openEditor('decline')
  if (key.ctrl && key.name === 's') return dialog.askToSkip()
  if (key.name === 'tab' && focus === 'text') return key.shift ? dialog.back() : dialog.openEditor('note')
  if (key.name === 'escape') return hasNoOptions ? 'fold' : dialog.closeEditor()
  if (isEnter(key)) return finish(dialog)
  if (key.name === 'up' && !hasNoOptions && edit(dialog.editor, key) === null) return dialog.closeEditor()
  return key.held && key.name === 'return' ? null : type(dialog, key)
}

function type(dialog: Dialog, key: Key): null {
  const { focus, form, step, editor } = dialog
  // Secrets and confirmation words are single lines; a line break in a paste must not become part of them.
  const isSingleLine = focus === 'confirmation' || (focus === 'text' && form.field(step).secret)
  dialog.editor = edit(editor, isSingleLine ? withoutLineBreak(key) : key) ?? editor
  return null
}

function finish(dialog: Dialog): Effect | null {
  const text = dialog.editor.text
  switch (dialog.focus) {
    case 'note':
      return dialog.closeEditor()
    case 'decline':
      if (text.trim() === '') return dialog.say('Enter a reason, or press Esc to go back.')
      return { decide: { verb: 'decline', reason: text.trim() } }
    case 'message':
      if (text.trim() === '') return dialog.say('Write a message, or press Esc to go back.')
      dialog.closeEditor()
      return { message: text.trim() }
    case 'confirmation':
      return confirm(dialog, text)
    default:
      return finishText(dialog, text)
  }
}

function confirm(dialog: Dialog, text: string): Effect | null {
  const word = dialog.form.field(dialog.step).confirmation?.word ?? ''
  if (dialog.unseen > 0) {
    const lines = dialog.unseen === 1 ? 'is 1 more line' : `are ${dialog.unseen} more lines`
    return dialog.say(`There ${lines} above: press PgUp to read them. Nothing was approved.`)
  }
  if (text.trim().toLowerCase() === word) return dialog.advance()
  return dialog.say(`Type ${word} and press Enter, or press Esc to go back. Nothing was approved.`)
}

function finishText(dialog: Dialog, text: string): Effect | null {
  const { form, step } = dialog
  const { question, textRequiredBy } = form.field(step)
  const isCustom = question.options.length > 0 && textRequiredBy === null
  if (text.trim() === '') {
    if (isCustom) return dialog.closeEditor()
    if (question.options.length === 0 && question.default !== null) form.useDefault(step)
  } else if (isCustom) form.write(step, text)
  else form.change(step, { text })
  return dialog.advance()
}
