import { editableText, readEdit } from '../../rules/action-text.ts'
import { edit } from '../editor.ts'
import { isEnter, type Key, withoutLineBreak } from '../keys.ts'
import { isDangerous } from '../verdict-lines.ts'
import type { Dialog, Effect } from './dialog.ts'

/** Keys while the person writes: an answer, a note, a reason to decline, a message, or the word that confirms. */
export function pressInEditor(dialog: Dialog, key: Key): Effect | null {
  const { focus } = dialog
  // Pasted keys are text, whatever they would do when typed.
  if (key.pasted) return type(dialog, key)
  const hasNoOptions = focus === 'text' && dialog.form.field(dialog.step).question.options.length === 0
  if (key.ctrl && key.name === 'x' && focus !== 'decline') return dialog.openEditor('decline')
  if (key.ctrl && key.name === 's') return dialog.askToSkip()
  if (key.ctrl && key.name === 'g') return isSingleLine(dialog) ? null : 'edit-outside'
  if (key.name === 'tab' && !key.shift && dialog.isWritingPath) return 'complete'
  if (key.name === 'tab' && focus === 'text') return key.shift ? dialog.back() : dialog.openEditor('note')
  if (key.name === 'escape') {
    if (focus === 'verdict') return dialog.openEditor('edit')
    return hasNoOptions ? 'fold' : dialog.closeEditor()
  }
  if (isEnter(key)) return finish(dialog)
  if (key.name === 'up' && !hasNoOptions && edit(dialog.editor, key) === null) return dialog.closeEditor()
  return key.held && key.name === 'return' ? null : type(dialog, key)
}

function type(dialog: Dialog, key: Key): null {
  const { editor } = dialog
  dialog.editor = edit(editor, isSingleLine(dialog) ? withoutLineBreak(key) : key) ?? editor
  return null
}

/** Secrets and confirmation words: a line break in a paste must not become part of them, nor a file hold them. */
function isSingleLine({ focus, form, step }: Dialog): boolean {
  return focus === 'confirmation' || focus === 'verdict' || (focus === 'text' && form.field(step).secret)
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
    case 'edit':
      return finishEdit(dialog, text)
    case 'verdict':
      return approveEdit(dialog, text)
    default:
      return finishText(dialog, text)
  }
}

function confirm(dialog: Dialog, text: string): Effect | null {
  const word = dialog.form.field(dialog.step).confirmation?.word ?? ''
  if (dialog.unseen > 0) return dialog.say(unreadLines(dialog.unseen))
  if (text.trim().toLowerCase() === word) return dialog.advance()
  return dialog.say(`Type ${word} and press Enter, or press Esc to go back. Nothing was approved.`)
}

/** The guard judges a changed version before it can be approved. */
function finishEdit(dialog: Dialog, text: string): Effect | null {
  const { request } = dialog.form
  if (request.kind !== 'approval') return null
  if (text.trim() === editableText(request.action).trim())
    return dialog.say('Nothing is changed. To approve it as it is, press Esc and choose yes.')
  const judge = readEdit(request.action, text)
  if (judge) return { judge }
  return dialog.say(text.trim() === '' ? 'Write what should run instead.' : 'That is not JSON.')
}

function approveEdit(dialog: Dialog, text: string): Effect | null {
  const { judged, form, step } = dialog
  if (!judged) return null
  if (isDangerous(judged.verdict)) {
    if (dialog.unseen > 0) return dialog.say(unreadLines(dialog.unseen))
    if (text.trim().toLowerCase() !== 'yes')
      return dialog.say('Type yes and press Enter, or press Esc to change it. Nothing was approved.')
  }
  const note = form.entry(step).note.trim() || null
  return { decide: { verb: 'answer', input: { value: 'yes', edited: judged.edited, note } } }
}

function unreadLines(unseen: number): string {
  const lines = unseen === 1 ? 'is 1 more line' : `are ${unseen} more lines`
  return `There ${lines} above: press PgUp to read them. Nothing was approved.`
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
