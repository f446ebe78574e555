import { type Editor, edit, editorOf, replaceBefore, replaceText } from '../editor.ts'
import { isEnter, type Key } from '../keys.ts'
import { HistorySearch } from './history-search.ts'
import { type Complete, Menu } from './menu.ts'

/** What must survive a crash: the text in the box, and the messages that were not sent yet. */
export interface InputDraft {
  readonly text: string
  readonly queued: readonly string[]
}

export const emptyDraft: InputDraft = { text: '', queued: [] }

/** What a key asks of the conversation; null if only the box changed. */
export type BoxEffect = 'entered' | 'interrupt' | 'leave' | 'suspend' | 'show' | 'edit' | null

export interface InputBoxOptions {
  /** Earlier inputs, oldest first. */
  history(): readonly string[]
  readonly complete: Complete
}

/**
 * The box that a person writes in, whether the agent works or not. Enter puts the text into the queue, from which the
 * conversation takes it as soon as the agent can read it. Up, or Esc in an empty box, takes the last message back.
 */
export class InputBox {
  editor: Editor
  /** With their pastes collapsed, as they were written. */
  readonly queued: Editor[]
  /** Queued messages wait for Enter: after a stop, nothing goes on by itself. */
  isHeld: boolean
  /** Replaces the hint until the next key. */
  notice = ''
  readonly menu: Menu
  search: HistorySearch | null = null
  readonly #history: () => readonly string[]
  #historyIndex: number | null = null
  #unsent = editorOf('')

  constructor({ history, complete }: InputBoxOptions, { text, queued }: InputDraft = emptyDraft) {
    this.#history = history
    this.menu = new Menu(complete)
    this.editor = editorOf(text)
    this.queued = queued.map(editorOf)
    this.isHeld = queued.length > 0
  }

  draft(): InputDraft {
    return { text: this.editor.text, queued: this.queued.map(({ text }) => text) }
  }

  press(key: Key, isWorking: boolean): BoxEffect {
    const before = this.editor.shown
    if (this.search && this.#pressInSearch(key)) return null
    if (this.#pressInMenu(key)) return null
    const effect = this.#press(key, isWorking)
    if (this.editor.shown !== before) this.menu.reset()
    this.suggest()
    return effect
  }

  /** Looks again for what the text may become. */
  suggest(): void {
    const { shown, cursor } = this.editor
    // An earlier message is complete.
    this.menu.update(this.#historyIndex === null ? shown.slice(0, cursor) : '')
  }

  #press(key: Key, isWorking: boolean): BoxEffect {
    const wasLeaving = this.notice === leaveNotice
    this.notice = ''
    if (key.ctrl && !key.pasted) {
      if (key.name === 'z') return 'suspend'
      if (key.name === 'o') return 'show'
      if (key.name === 'g') return 'edit'
      if (key.name === 'r') return this.#startSearch()
      if (key.name === 'c') return isWorking ? 'interrupt' : this.#clearOrLeave(wasLeaving)
      if (key.name === 'd' && this.editor.text === '') return isWorking ? this.#say(stopNotice) : 'leave'
    }
    if (isEnter(key)) return this.#enter()
    if (key.name === 'escape' && !key.pasted) return this.#escape(isWorking)
    this.#change(key)
    return null
  }

  /** Adds what was typed where it could not be seen. */
  add(text: string): void {
    this.editor = replaceText(this.editor, this.editor.text + text)
  }

  /** The next message to send. */
  take(): Editor | null {
    return this.isHeld ? null : (this.queued.shift() ?? null)
  }

  /** The messages that the model can read in the middle of a turn: up to the first command. */
  takeMessages(): Editor[] {
    const end = this.queued.findIndex(({ shown }) => /^\s*[/!]/.test(shown))
    return this.isHeld ? [] : this.queued.splice(0, end < 0 ? this.queued.length : end)
  }

  #startSearch(): null {
    this.search = new HistorySearch(this.#history())
    return null
  }

  /** Esc and Ctrl-C give the text back; any other key that does not search takes what was found. */
  #pressInSearch(key: Key): boolean {
    if (this.search?.press(key)) return true
    const found = this.search?.found ?? null
    this.search = null
    const isBack = key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'g'))
    if (!isBack && found !== null) this.editor = replaceText(this.editor, found)
    // Enter takes it into the box and does not send it yet.
    return isBack || isEnter(key) || key.name === 'tab'
  }

  #pressInMenu(key: Key): boolean {
    const { item, length } = this.menu
    if (item === null || key.pasted) return false
    if (this.menu.move(key)) return true
    if (key.name === 'escape') {
      this.menu.dismiss()
      return true
    }
    const { shown, cursor } = this.editor
    const isWritten = shown.slice(cursor - length, cursor) === item.text.trimEnd()
    if (!(key.name === 'tab' && !key.shift) && !(isEnter(key) && !isWritten)) return false
    this.editor = replaceBefore(this.editor, length, item.text)
    this.menu.reset()
    this.suggest()
    return !(isEnter(key) && item.isWhole)
  }

  #enter(): BoxEffect {
    if (this.editor.text.trim() !== '') this.queued.push(this.editor)
    else if (this.queued.length === 0) return null
    this.isHeld = false
    this.#clear()
    return 'entered'
  }

  #escape(isWorking: boolean): BoxEffect {
    if (this.#takeBack()) return null
    return isWorking ? 'interrupt' : null
  }

  /** The first Ctrl-C clears the text, the second one leaves. */
  #clearOrLeave(wasLeaving: boolean): BoxEffect {
    if (wasLeaving) return 'leave'
    if (this.editor.text === '') this.notice = leaveNotice
    this.#clear()
    return null
  }

  #change(key: Key): void {
    const next = edit(this.editor, key)
    if (next) this.editor = next
    else if (key.name === 'up') this.#takeBack() || this.#recall(-1)
    else if (key.name === 'down') this.#recall(1)
  }

  #takeBack(): boolean {
    if (this.editor.text !== '') return false
    const last = this.queued.pop()
    if (!last) return false
    this.editor = last
    this.#historyIndex = null
    return true
  }

  #recall(by: -1 | 1): void {
    const history = this.#history()
    const at = this.#historyIndex ?? history.length
    const next = at + by
    if (next < 0 || next > history.length) return
    if (at === history.length) this.#unsent = this.editor
    this.editor = next === history.length ? this.#unsent : editorOf(history[next] ?? '')
    this.#historyIndex = next === history.length ? null : next
  }

  /** What was killed can still be yanked. */
  #clear(): void {
    this.editor = { ...editorOf(''), kills: this.editor.kills }
    this.#historyIndex = null
  }

  #say(notice: string): null {
    this.notice = notice
    return null
  }
}

const leaveNotice = 'Press Ctrl-C again to leave'
const stopNotice = 'Press Esc to stop it first, then Ctrl-D to leave'
