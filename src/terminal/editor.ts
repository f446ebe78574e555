import { after, before, lineEnd, lineStart, otherLine, spaceBefore, wordEnd, wordStart } from './editor-moves.ts'
import type { Key } from './keys.ts'

/**
 * Text being written, on one line or several. The cursor stands between graphemes, so that a Korean syllable or an emoji
 * is one step and one deletion. A long paste is collapsed: one step, one deletion and a few words on the screen, while
 * the text has all of it.
 */
export interface Editor {
  readonly text: string
  /** The cursor in the text, in UTF-16 units; always between two graphemes. */
  readonly at: number
  /** The text with one character for each collapsed paste, and the cursor in it. */
  readonly shown: string
  readonly cursor: number
  /** The collapsed pastes. Only ever added to, so that undoing and yanking find them again. */
  readonly pastes: readonly string[]
  /** What was killed, the latest last. */
  readonly kills: readonly string[]
  /** What it was before each edit, the latest last. */
  readonly past: readonly State[]
  /** What the last key did, where the next one may continue it. */
  readonly last: Last
}

type State = Pick<Editor, 'shown' | 'cursor'>
type Last = 'type' | 'kill' | { readonly yanked: number; readonly from: number } | null

// Unpaired surrogates: no text has them, and they never join with the letters beside them.
const firstPaste = 0xdc00
const mostPastes = 0x400
const anyPaste = /[\udc00-\udfff]/gu
const mostKills = 20
const mostUndos = 500
// A paste is collapsed if it is longer than this.
const longestShown = { lines: 8, characters: 1_000 }

export function editorOf(text: string): Editor {
  const shown = text.toWellFormed()
  return { ...fresh, text: shown, at: shown.length, shown, cursor: shown.length }
}

const fresh: Editor = { text: '', at: 0, shown: '', cursor: 0, pastes: [], kills: [], past: [], last: null }

/** The editor after a key, or null if the key has no meaning here. */
export function edit(editor: Editor, key: Key): Editor | null {
  if (isLineBreak(key)) return insert(editor, '\n')
  if (key.name === 'paste') return insertPaste(editor, key.text)
  if (key.text !== '') return insert(editor, key.text.toWellFormed(), key.pasted ? null : 'type')
  if (key.pasted) return key.name === 'tab' ? insert(editor, '  ') : editor
  if (key.ctrl) return editByControl(editor, key.name)
  if (key.alt) return editByAlt(editor, key.name)
  const { shown, cursor } = editor
  switch (key.name) {
    case 'backspace':
      return remove(editor, before(shown, cursor), cursor)
    case 'delete':
      return remove(editor, cursor, after(shown, cursor))
    case 'left':
      return moveTo(editor, before(shown, cursor))
    case 'right':
      return moveTo(editor, after(shown, cursor))
    case 'home':
      return moveTo(editor, lineStart(shown, cursor))
    case 'end':
      return moveTo(editor, lineEnd(shown, cursor))
    case 'up':
      return moveTo(editor, otherLine(shown, cursor, -1))
    case 'down':
      return moveTo(editor, otherLine(shown, cursor, 1))
    default:
      return null
  }
}

/** Another text in place of this one, as one edit that can be undone. Pastes that are still whole stay collapsed. */
export function replaceText(editor: Editor, text: string): Editor {
  const shown = collapse(text.toWellFormed(), editor.pastes)
  return change(editor, shown, shown.length)
}

/** Inserts the text in place of the `length` UTF-16 units before the cursor, as completing a word does. */
export function replaceBefore(editor: Editor, length: number, text: string): Editor {
  const { shown, cursor } = editor
  const from = Math.max(0, cursor - length)
  const inserted = text.toWellFormed()
  return change(editor, shown.slice(0, from) + inserted + shown.slice(cursor), from + inserted.length)
}

/** The number of a collapsed paste, or -1 for any other character. */
export function pasteIn(character: string): number {
  const number = character.length === 1 ? character.charCodeAt(0) - firstPaste : -1
  return number >= 0 && number < mostPastes ? number : -1
}

/** Enter sends. Ctrl-J, Alt-Enter and pasted line breaks insert a line break. */
function isLineBreak({ name, ctrl, alt, pasted }: Key): boolean {
  if (name === 'enter') return true
  return name === 'return' && (pasted || alt || ctrl)
}

function editByControl(editor: Editor, name: string): Editor | null {
  const { shown, cursor } = editor
  switch (name) {
    case 'a':
      return moveTo(editor, lineStart(shown, cursor))
    case 'e':
      return moveTo(editor, lineEnd(shown, cursor))
    case 'b':
      return moveTo(editor, before(shown, cursor))
    case 'f':
      return moveTo(editor, after(shown, cursor))
    case 'left':
      return moveTo(editor, wordStart(shown, cursor))
    case 'right':
      return moveTo(editor, wordEnd(shown, cursor))
    case 'home':
      return moveTo(editor, 0)
    case 'end':
      return moveTo(editor, shown.length)
    case 'h':
      return remove(editor, before(shown, cursor), cursor)
    case 'd':
      return shown === '' ? null : remove(editor, cursor, after(shown, cursor))
    case 'w':
      return killBack(editor, spaceBefore(shown, cursor))
    case 'backspace':
      return killBack(editor, wordStart(shown, cursor))
    case 'delete':
      return kill(editor, wordEnd(shown, cursor))
    case 'u':
      return killBack(editor, atLeastOne(lineStart(shown, cursor), before(shown, cursor), cursor))
    case 'k':
      return kill(editor, atLeastOne(lineEnd(shown, cursor), after(shown, cursor), cursor))
    case 'y':
      return yank(editor)
    case '_':
      return undo(editor)
    default:
      return null
  }
}

function editByAlt(editor: Editor, name: string): Editor | null {
  const { shown, cursor } = editor
  switch (name) {
    case 'b':
    case 'left':
      return moveTo(editor, wordStart(shown, cursor))
    case 'f':
    case 'right':
      return moveTo(editor, wordEnd(shown, cursor))
    case 'backspace':
      return killBack(editor, wordStart(shown, cursor))
    case 'd':
    case 'delete':
      return kill(editor, wordEnd(shown, cursor))
    case 'y':
      return yankEarlier(editor)
    default:
      return null
  }
}

/** At the end of a line, there is only the line break to kill. */
function atLeastOne(to: number, step: number, cursor: number): number {
  return to === cursor ? step : to
}

function insert(editor: Editor, text: string, last: Last = null): Editor {
  const { shown, cursor } = editor
  const next = change(editor, shown.slice(0, cursor) + text + shown.slice(cursor), cursor + text.length, last)
  // Words are undone one by one, not letter by letter.
  const isSameWord = last === 'type' && editor.last === 'type' && !(/\s/u.test(shown[cursor - 1] ?? '') && text.trim())
  return isSameWord ? { ...next, past: editor.past } : next
}

function insertPaste(editor: Editor, pasted: string): Editor {
  const text = pasted.toWellFormed()
  const number = editor.pastes.length
  if (!isLong(text) || number >= mostPastes) return insert(editor, text)
  return insert({ ...editor, pastes: [...editor.pastes, text] }, String.fromCharCode(firstPaste + number))
}

function isLong(text: string): boolean {
  return text.length > longestShown.characters || text.split('\n', longestShown.lines + 1).length > longestShown.lines
}

function remove(editor: Editor, from: number, to: number): Editor {
  return change(editor, editor.shown.slice(0, from) + editor.shown.slice(to), from)
}

function kill(editor: Editor, to: number): Editor {
  const { cursor } = editor
  return keepKilled(editor, remove(editor, cursor, to), editor.shown.slice(cursor, to), (known, more) => known + more)
}

function killBack(editor: Editor, from: number): Editor {
  const { cursor } = editor
  return keepKilled(
    editor,
    remove(editor, from, cursor),
    editor.shown.slice(from, cursor),
    (known, more) => more + known,
  )
}

/** What is killed by several keys in a row is yanked as one. */
function keepKilled(
  { kills, last }: Editor,
  next: Editor,
  killed: string,
  join: (a: string, b: string) => string,
): Editor {
  if (killed === '') return { ...next, last }
  const continued = last === 'kill' ? join(kills.at(-1) ?? '', killed) : killed
  return {
    ...next,
    last: 'kill',
    kills: [...(last === 'kill' ? kills.slice(0, -1) : kills), continued].slice(-mostKills),
  }
}

function yank(editor: Editor): Editor {
  const { kills, cursor } = editor
  return kills.length === 0 ? editor : insert(editor, kills.at(-1) ?? '', { yanked: kills.length - 1, from: cursor })
}

/** Right after a yank: replaces it by what was killed before that. */
function yankEarlier(editor: Editor): Editor {
  const { last, kills, past } = editor
  if (last === null || typeof last === 'string') return editor
  const { from } = last
  const yanked = (last.yanked + kills.length - 1) % kills.length
  const without = remove(editor, from, editor.cursor)
  return { ...insert(without, kills[yanked] ?? '', { yanked, from }), past }
}

function undo(editor: Editor): Editor {
  const state = editor.past.at(-1)
  return state ? { ...place(editor, state.shown, state.cursor), past: editor.past.slice(0, -1), last: null } : editor
}

function moveTo(editor: Editor, cursor: number | null): Editor | null {
  return cursor === null ? null : { ...place(editor, editor.shown, cursor), last: null }
}

function change(editor: Editor, shown: string, cursor: number, last: Last = null): Editor {
  const state = { shown: editor.shown, cursor: editor.cursor }
  const past = shown === editor.shown ? editor.past : [...editor.past.slice(1 - mostUndos), state]
  return { ...place(editor, shown, cursor), past, last }
}

function place(editor: Editor, shown: string, cursor: number): Editor {
  const { pastes } = editor
  const whole = (part: string) => expand(part, pastes)
  const text = shown === editor.shown ? editor.text : whole(shown)
  return { ...editor, text, at: whole(shown.slice(0, cursor)).length, shown, cursor }
}

function expand(shown: string, pastes: readonly string[]): string {
  if (pastes.length === 0) return shown
  return shown.replaceAll(anyPaste, character => pastes[pasteIn(character)] ?? '')
}

function collapse(text: string, pastes: readonly string[]): string {
  return pastes.reduce((shown, paste, i) => shown.replace(paste, () => String.fromCharCode(firstPaste + i)), text)
}
