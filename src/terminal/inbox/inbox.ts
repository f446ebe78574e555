import type { Decision } from '../../form/answer-form.ts'
import type { EarlierAnswer } from '../../protocol/earlier.ts'
import type { Request } from '../../protocol/request.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import { isEnter, type Key, withoutLineBreak } from '../keys.ts'
import { answerAgain } from '../last-answer.ts'
import { snoozeTimes } from '../snooze-times.ts'
import { type Group, groupItems } from './group.ts'
import { type Item, isSnoozed, matches } from './item.ts'

/**
 * Where the keyboard focus is:
 *   list     moving over the requests
 *   filter   typing words to filter the list
 *   skip     confirming that the selected request should be skipped
 *   decline  writing the reason for declining the selected request
 *   last     confirming that the selected request should be answered as last time
 *   message  asking back: writing to the agent of the selected request
 *   snooze   choosing how long the selected request should be hidden
 *   help     reading the list of keys
 */
export type Focus = 'list' | 'filter' | 'skip' | 'decline' | 'last' | 'message' | 'snooze' | 'help'

/** What a key leads to. */
export type Effect =
  | 'quit'
  | 'reload'
  | { readonly open: Request }
  | { readonly settle: Request; readonly by: Decision }
  | { readonly ask: Request; readonly text: string }
  | { readonly snooze: Request; readonly until: string | null }

/** The requests that arrived, whose reminder came, that changed otherwise, and that were settled, since the last change. */
export interface Change {
  readonly arrived: readonly Item[]
  readonly reminded?: readonly Item[]
  readonly changed?: readonly Item[]
  readonly left: readonly Request[]
}

const page = 10
const showMessageFor = 15_000
// Keys closer together than this belong to a text whose request is gone.
const typingPause = 700

/**
 * The list, the selected request, and what each key does. Requests are settled only by `s` or `l` and Enter, or by `d`
 * and a reason. The selection is a request, not a position: other requests come and go around it.
 */
export class Inbox {
  focus: Focus = 'list'
  filter: Editor = editorOf('')
  /** The reason to decline, or the message. */
  text: Editor = editorOf('')
  /** Whether the list shows what was snoozed instead of what waits. */
  showsSnoozed = false
  /** False until the hub has returned the first list. */
  loaded = false
  readonly #now: () => number
  readonly #items = new Map<string, Item>()
  #rows: readonly Item[] = []
  #groups: readonly Group[] = []
  #selected: string | null = null
  #message: { readonly text: string; readonly at: number } | null = null
  #ignoringSince: number | null = null
  readonly #last = new Map<string, EarlierAnswer | null>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** All pending requests, whatever the filter; without those that are snoozed. */
  get all(): readonly Item[] {
    return [...this.#items.values()].filter(item => !isSnoozed(item, this.#now()))
  }

  get snoozedCount(): number {
    return this.#items.size - this.all.length
  }

  /** What was answered when the selected request was asked before; undefined while that is not known. */
  get last(): EarlierAnswer | null | undefined {
    return this.selected ? this.#last.get(this.selected.request.id) : null
  }

  learnLast(id: string, last: EarlierAnswer | null): void {
    this.#last.set(id, last)
  }

  /** The requests shown, in order. The same array until something changes. */
  get rows(): readonly Item[] {
    return this.#rows
  }

  /** The same requests by asker. */
  get groups(): readonly Group[] {
    return this.#groups
  }

  get selectedIndex(): number {
    return this.#rows.findIndex(({ request }) => request.id === this.#selected)
  }

  get selected(): Item | null {
    return this.#rows[this.selectedIndex] ?? null
  }

  get message(): string | null {
    return this.#message && this.#now() - this.#message.at < showMessageFor ? this.#message.text : null
  }

  showMessage(text: string): void {
    this.#message = { text, at: this.#now() }
  }

  update({ arrived, reminded = [], changed = [], left }: Change): void {
    const before = this.#selected
    this.loaded = true
    for (const item of [...arrived, ...reminded, ...changed]) this.#items.set(item.request.id, item)
    for (const { id } of left) {
      this.#items.delete(id)
      this.#last.delete(id)
    }
    this.#arrange()
    if (before === null || before === this.#selected || this.focus === 'list' || this.focus === 'filter') return
    // The text being typed was meant for a request that is gone; the next request must not get it.
    if (this.focus !== 'help') this.ignoreKeysUntilPause()
    this.focus = 'list'
  }

  /** The request that the person was typing into is gone: drops keys until the person pauses. */
  ignoreKeysUntilPause(): void {
    this.#ignoringSince = this.#now()
  }

  press(key: Key): Effect | null {
    if (key.ctrl && key.name === 'c' && !key.pasted) return 'quit'
    if (this.#isIgnoringKeys()) return null
    switch (this.focus) {
      case 'list':
        return this.#pressInList(key)
      case 'filter':
        return this.#pressInFilter(key)
      case 'skip':
        return this.#pressInSkip(key)
      case 'last':
        return this.#pressInLast(key)
      case 'decline':
      case 'message':
        return this.#pressInEditor(key)
      case 'snooze':
        return this.#pressInSnooze(key)
      case 'help':
        if (!key.pasted) this.focus = 'list'
        return null
    }
  }

  #pressInList(key: Key): Effect | null {
    // Pasted text is not a command.
    if (key.pasted) return null
    const by = moves[keyName(key)]
    if (by !== undefined) return this.#move(by)
    switch (keyName(key)) {
      case 'return':
        return this.selected ? { open: this.selected.request } : null
      case 's':
        return this.#askToSkip()
      case 'd':
        return this.#openEditor('decline')
      case 'c':
        return this.#askBack()
      case 'l':
        return this.last ? this.#setFocus('last') : null
      case 'z':
        return this.#askToSnooze()
      case 'Z':
        this.showsSnoozed = !this.showsSnoozed
        this.#arrange(0)
        return null
      case 'r':
        return 'reload'
      case '/':
        return this.#setFocus('filter')
      case '?':
        return this.#setFocus('help')
      case 'escape':
        return this.filter.text === '' ? 'quit' : this.#search(editorOf(''))
      case 'q':
        return 'quit'
      default:
        return null
    }
  }

  #pressInFilter(key: Key): Effect | null {
    if (key.name === 'escape') {
      this.#search(editorOf(''))
      return this.#setFocus('list')
    }
    if (isEnter(key)) return this.#setFocus('list')
    if (key.name === 'up' || key.name === 'down') return this.#move(key.name === 'up' ? -1 : 1)
    return this.#search(edit(this.filter, withoutLineBreak(key)) ?? this.filter)
  }

  #pressInSkip(key: Key): Effect | null {
    // An `s` that is still held down is the one that asked.
    if (key.pasted || key.text === 's') return null
    this.focus = 'list'
    const confirms = isEnter(key)
    return confirms && this.selected ? { settle: this.selected.request, by: { verb: 'skip', note: null } } : null
  }

  #pressInLast(key: Key): Effect | null {
    if (key.pasted || key.text === 'l') return null
    const { selected, last } = this
    this.focus = 'list'
    return isEnter(key) && selected && last ? { settle: selected.request, by: answerAgain(last) } : null
  }

  /** A reason to decline, or a message to the agent. */
  #pressInEditor(key: Key): Effect | null {
    if (key.name === 'escape') return this.#setFocus('list')
    if (!isEnter(key)) {
      this.text = edit(this.text, key) ?? this.text
      return null
    }
    const declines = this.focus === 'decline'
    const text = this.text.text.trim()
    if (text === '') {
      this.showMessage(
        declines ? 'Enter a reason, or press Esc to go back.' : 'Write a message, or press Esc to go back.',
      )
      return null
    }
    this.focus = 'list'
    if (!this.selected) return null
    const { request } = this.selected
    return declines ? { settle: request, by: { verb: 'decline', reason: text } } : { ask: request, text }
  }

  #pressInSnooze(key: Key): Effect | null {
    if (key.pasted || key.text === 'z') return null
    this.focus = 'list'
    const time = snoozeTimes(this.#now())[Number(key.text) - 1]
    return this.selected && time ? { snooze: this.selected.request, until: time.until } : null
  }

  #askToSkip(): null {
    if (!this.selected) return null
    if (!this.selected.request.required) return this.#setFocus('skip')
    this.showMessage('This request is required, so it cannot be skipped. Press d to decline it.')
    return null
  }

  #askBack(): null {
    if (!this.selected || this.selected.request.canReply) return this.#openEditor('message')
    this.showMessage('This agent cannot be asked back. Press d to decline, with your message as the reason.')
    return null
  }

  /** A snoozed request comes back at once. */
  #askToSnooze(): Effect | null {
    if (!this.selected) return null
    if (isSnoozed(this.selected, this.#now())) return { snooze: this.selected.request, until: null }
    return this.#setFocus('snooze')
  }

  #openEditor(focus: 'decline' | 'message'): null {
    if (!this.selected) return null
    this.text = editorOf('')
    return this.#setFocus(focus)
  }

  #setFocus(focus: Focus): null {
    this.#message = null
    this.focus = focus
    return null
  }

  #move(by: number): null {
    const last = this.#rows.length - 1
    const at = Math.min(Math.max(this.selectedIndex + by, 0), Math.max(last, 0))
    this.#selected = this.#rows[at]?.request.id ?? null
    return null
  }

  #search(filter: Editor): null {
    this.filter = filter
    this.#arrange(0)
    return null
  }

  /** The selected request stays selected. If it is gone, selects the one at `fallback`: by default, at its position. */
  #arrange(fallback = Math.max(0, this.selectedIndex)): void {
    if (this.showsSnoozed && this.snoozedCount === 0) this.showsSnoozed = false
    const view = [...this.#items.values()].filter(item => isSnoozed(item, this.#now()) === this.showsSnoozed)
    const shown = view.filter(item => matches(item, this.filter.text))
    this.#groups = groupItems(shown, view)
    this.#rows = this.#groups.flatMap(({ items }) => items)
    if (this.selectedIndex < 0)
      this.#selected = this.#rows[Math.min(fallback, this.#rows.length - 1)]?.request.id ?? null
  }

  #isIgnoringKeys(): boolean {
    if (this.#ignoringSince === null) return false
    const pause = this.#now() - this.#ignoringSince
    this.#ignoringSince = pause < typingPause ? this.#now() : null
    return pause < typingPause
  }
}

const moves: Record<string, number> = {
  up: -1,
  k: -1,
  '^p': -1,
  down: 1,
  j: 1,
  '^n': 1,
  pageup: -page,
  pagedown: page,
  home: -Infinity,
  g: -Infinity,
  end: Infinity,
  G: Infinity,
}

function keyName({ name, text, ctrl, alt }: Key): string {
  if (ctrl) return `^${name}`
  // Alt with a letter is not that letter. A single Esc also has the Alt flag.
  if (alt && name.length === 1) return ''
  return text.trim() || name
}
