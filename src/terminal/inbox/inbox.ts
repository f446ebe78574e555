import type { Decision } from '../../form/answer-form.ts'
import type { Request } from '../../protocol/request.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import { isEnter, type Key } from '../keys.ts'
import { type Item, inOrder, matches } from './item.ts'

// What is in the list, which row is lit, and what happens on which key. Where a person is:
//   list     moving over the requests
//   filter   typing what to look for; the list narrows down meanwhile
//   skip     being asked once more whether to pass the lit one over
//   decline  saying why the answer to the lit one is no
//   help     looking at the keys
// Nothing is settled from here but by `s` said twice, and by `d` with a reason. The lit row is a request and not a
// position: others come and go around it.

export type Place = 'list' | 'filter' | 'skip' | 'decline' | 'help'

/** What the keys amount to. */
export type Effect =
  | 'quit'
  | 'reload'
  | { readonly open: Request }
  | { readonly settle: Request; readonly by: Decision }

/** What came, and what is settled, since the last look. */
export interface Change {
  readonly arrived: readonly Item[]
  readonly left: readonly Request[]
}

const page = 10
const messageStays = 15_000
// Whoever types so fast has not seen yet that what they were typing into is gone.
const pause = 700

export class Inbox {
  place: Place = 'list'
  filter: Editor = editorOf('')
  reason: Editor = editorOf('')
  /** False until the first look at the hub is done. */
  loaded = false
  readonly #now: () => number
  readonly #items = new Map<string, Item>()
  #rows: readonly Item[] = []
  #lit: string | null = null
  #message: { readonly text: string; readonly at: number } | null = null
  #deafSince: number | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** Everything that waits, whatever the filter says. */
  get all(): readonly Item[] {
    return [...this.#items.values()]
  }

  /** What is shown, in order. The same array until something changes. */
  get rows(): readonly Item[] {
    return this.#rows
  }

  get at(): number {
    return this.#rows.findIndex(({ request }) => request.id === this.#lit)
  }

  get lit(): Item | null {
    return this.#rows[this.at] ?? null
  }

  get message(): string | null {
    return this.#message && this.#now() - this.#message.at < messageStays ? this.#message.text : null
  }

  say(text: string): void {
    this.#message = { text, at: this.#now() }
  }

  update({ arrived, left }: Change): void {
    const lit = this.#lit
    this.loaded = true
    for (const item of arrived) this.#items.set(item.request.id, item)
    for (const { id } of left) this.#items.delete(id)
    this.#arrange()
    if (lit === null || lit === this.#lit || this.place === 'list' || this.place === 'filter') return
    // What is being typed was meant for a request that is gone; the next one must not get it.
    if (this.place !== 'help') this.startle()
    this.place = 'list'
  }

  /** What was open has closed by itself: keys are nobody's until there is a pause between them. */
  startle(): void {
    this.#deafSince = this.#now()
  }

  press(key: Key): Effect | null {
    if (key.ctrl && key.name === 'c' && !key.pasted) return 'quit'
    if (this.#isDeaf()) return null
    switch (this.place) {
      case 'list':
        return this.#pressInList(key)
      case 'filter':
        return this.#pressInFilter(key)
      case 'skip':
        return this.#pressInSkip(key)
      case 'decline':
        return this.#pressInDecline(key)
      case 'help':
        if (!key.pasted) this.place = 'list'
        return null
    }
  }

  #pressInList(key: Key): Effect | null {
    // What comes out of the clipboard is no command.
    if (key.pasted) return null
    const by = moves[nameOf(key)]
    if (by !== undefined) return this.#move(by)
    switch (nameOf(key)) {
      case 'return':
        return this.lit ? { open: this.lit.request } : null
      case 's':
        return this.#askToSkip()
      case 'd':
        return this.#askWhyNot()
      case 'r':
        return 'reload'
      case '/':
        return this.#go('filter')
      case '?':
        return this.#go('help')
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
      return this.#go('list')
    }
    if (isEnter(key)) return this.#go('list')
    if (key.name === 'up' || key.name === 'down') return this.#move(key.name === 'up' ? -1 : 1)
    return this.#search(edit(this.filter, onOneLine(key)) ?? this.filter)
  }

  #pressInSkip(key: Key): Effect | null {
    // Held down it is the key that asked, not an answer.
    if (key.pasted || key.text === 's') return null
    this.place = 'list'
    const confirms = isEnter(key)
    return confirms && this.lit ? { settle: this.lit.request, by: { verb: 'skip', note: null } } : null
  }

  #pressInDecline(key: Key): Effect | null {
    if (key.name === 'escape') return this.#go('list')
    if (!isEnter(key)) {
      this.reason = edit(this.reason, key) ?? this.reason
      return null
    }
    const reason = this.reason.text.trim()
    if (reason === '') {
      this.say('Say why, in a word or two. Esc goes back.')
      return null
    }
    this.place = 'list'
    return this.lit && { settle: this.lit.request, by: { verb: 'decline', reason } }
  }

  #askToSkip(): null {
    if (!this.lit) return null
    if (!this.lit.request.required) return this.#go('skip')
    this.say('This one is required and cannot be skipped; d declines it.')
    return null
  }

  #askWhyNot(): null {
    if (!this.lit) return null
    this.reason = editorOf('')
    return this.#go('decline')
  }

  #go(place: Place): null {
    this.#message = null
    this.place = place
    return null
  }

  #move(by: number): null {
    const last = this.#rows.length - 1
    const at = Math.min(Math.max(this.at + by, 0), Math.max(last, 0))
    this.#lit = this.#rows[at]?.request.id ?? null
    return null
  }

  #search(filter: Editor): null {
    this.filter = filter
    this.#arrange(0)
    return null
  }

  /** The lit request stays lit. Where it is gone, the one in its place is; or the one at `fallback`. */
  #arrange(fallback = Math.max(0, this.at)): void {
    this.#rows = inOrder([...this.#items.values()].filter(item => matches(item, this.filter.text)))
    if (this.at < 0) this.#lit = this.#rows[Math.min(fallback, this.#rows.length - 1)]?.request.id ?? null
  }

  #isDeaf(): boolean {
    if (this.#deafSince === null) return false
    const silence = this.#now() - this.#deafSince
    this.#deafSince = silence < pause ? this.#now() : null
    return silence < pause
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

function nameOf({ name, text, ctrl, alt }: Key): string {
  if (ctrl) return `^${name}`
  // Alt and a letter is no letter; Esc alone comes with the sign of Alt, too.
  if (alt && name.length === 1) return ''
  return text.trim() || name
}

function onOneLine(key: Key): Key {
  return key.name === 'enter' || key.name === 'return' ? { ...key, name: '', text: '' } : key
}
