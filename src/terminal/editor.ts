import { graphemesIn } from '../text/width.ts'
import type { Key } from './keys.ts'

/**
 * Text being written, on one line or several. The cursor stands between graphemes, so that a Korean syllable or an emoji
 * is one step and one deletion.
 */
export interface Editor {
  readonly text: string
  /** The cursor, in UTF-16 units; always between two graphemes. */
  readonly at: number
}

export const editorOf = (text: string): Editor => ({ text, at: text.length })

/** The editor after a key, or null if the key has no meaning here. */
export function edit(editor: Editor, key: Key): Editor | null {
  if (isLineBreak(key)) return insert(editor, '\n')
  if (key.text !== '') return insert(editor, key.text)
  if (key.pasted) return key.name === 'tab' ? insert(editor, '  ') : editor
  if (key.ctrl) return editByControl(editor, key.name)
  switch (key.name) {
    case 'backspace':
      return key.alt ? remove(editor, wordStart(editor), editor.at) : remove(editor, before(editor), editor.at)
    case 'delete':
      return remove(editor, editor.at, after(editor))
    case 'left':
      return { ...editor, at: key.alt ? wordStart(editor) : before(editor) }
    case 'right':
      return { ...editor, at: after(editor) }
    case 'home':
      return { ...editor, at: lineStart(editor) }
    case 'end':
      return { ...editor, at: lineEnd(editor) }
    case 'up':
      return moveLine(editor, -1)
    case 'down':
      return moveLine(editor, 1)
    default:
      return null
  }
}

/** Enter sends. Ctrl-J, Alt-Enter and pasted line breaks insert a line break. */
function isLineBreak({ name, ctrl, alt, pasted }: Key): boolean {
  if (name === 'enter') return true
  return name === 'return' && (pasted || alt || ctrl)
}

function editByControl(editor: Editor, name: string): Editor | null {
  switch (name) {
    case 'a':
      return { ...editor, at: lineStart(editor) }
    case 'e':
      return { ...editor, at: lineEnd(editor) }
    case 'h':
      return remove(editor, before(editor), editor.at)
    case 'w':
      return remove(editor, wordStart(editor), editor.at)
    case 'u':
      return remove(editor, lineStart(editor), editor.at)
    case 'k':
      return remove(editor, editor.at, lineEnd(editor))
    default:
      return null
  }
}

function insert({ text, at }: Editor, more: string): Editor {
  return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length }
}

function remove({ text }: Editor, from: number, to: number): Editor {
  return { text: text.slice(0, from) + text.slice(to), at: from }
}

function before({ text, at }: Editor): number {
  const last = [...graphemesIn(text.slice(0, at))].at(-1)
  return last?.index ?? 0
}

function after({ text, at }: Editor): number {
  const [first] = graphemesIn(text.slice(at))
  return at + (first?.segment.length ?? 0)
}

function wordStart({ text, at }: Editor): number {
  return text.slice(0, at).replace(/\S*\s*$/u, '').length
}

function lineStart({ text, at }: Editor): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd({ text, at }: Editor): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Null on the first and last line, where the key means something else. */
function moveLine(editor: Editor, by: -1 | 1): Editor | null {
  const start = lineStart(editor)
  const column = editor.at - start
  if (by < 0) {
    if (start === 0) return null
    const above = lineStart({ ...editor, at: start - 1 })
    return { ...editor, at: Math.min(above + column, start - 1) }
  }
  const end = lineEnd(editor)
  if (end === editor.text.length) return null
  return { ...editor, at: Math.min(end + 1 + column, lineEnd({ ...editor, at: end + 1 })) }
}
