import type { Key } from '../keys.ts'

/** Ctrl-R: the latest earlier message that has the text in it; Ctrl-R again finds the one before. */
export class HistorySearch {
  readonly #history: readonly string[]
  #at: number
  query = ''

  constructor(history: readonly string[]) {
    this.#history = history
    this.#at = history.length
  }

  /** Null while nothing is found. */
  get found(): string | null {
    return this.query === '' ? null : (this.#history[this.#at] ?? null)
  }

  /** Whether the key belongs to the search. */
  press(key: Key): boolean {
    if (key.ctrl && key.name === 'r') this.#find(this.#at - 1)
    else if (key.text !== '' && !key.text.includes('\n')) this.#look(this.query + key.text)
    else if (key.name === 'backspace' && !key.alt) this.#look(this.query.slice(0, -1))
    else return false
    return true
  }

  #look(query: string): void {
    this.query = query
    this.#find(this.#history.length - 1)
  }

  /** Stays at the last one found where there is none before it. */
  #find(from: number): void {
    const wanted = this.query.toLowerCase()
    const isFresh = from === this.#history.length - 1
    const at = this.#history.findLastIndex((text, i) => i <= from && text.toLowerCase().includes(wanted))
    if (at >= 0 || isFresh) this.#at = at
  }
}
