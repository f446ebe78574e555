import type { Key } from '../keys.ts'

/** What the text before the cursor may become. */
export interface Completion {
  /** How many characters before the cursor an item replaces. */
  readonly length: number
  readonly items: readonly CompletionItem[]
}

export interface CompletionItem {
  /** What is inserted. */
  readonly text: string
  readonly detail?: string
  /** Choosing it with Enter sends the text. */
  readonly isWhole?: boolean
}

export type Complete = (before: string) => Completion | null

/** The list of completions below the text. Esc closes it until the word is over. */
export class Menu {
  readonly #complete: Complete
  #completion: Completion | null = null
  #selected = 0
  #isDismissed = false

  constructor(complete: Complete) {
    this.#complete = complete
  }

  /** After each change of the text, and when more completions are known. */
  update(before: string): void {
    const found = this.#complete(before)
    if (found === null) this.#isDismissed = false
    const isShown = found !== null && found.items.length > 0 && !this.#isDismissed
    this.#completion = isShown ? found : null
    this.#selected = Math.min(this.#selected, Math.max(0, (found?.items.length ?? 0) - 1))
  }

  /** Starts at the first item again. */
  reset(): void {
    this.#selected = 0
  }

  get items(): readonly CompletionItem[] {
    return this.#completion?.items ?? []
  }

  get selected(): number {
    return this.#selected
  }

  get length(): number {
    return this.#completion?.length ?? 0
  }

  get item(): CompletionItem | null {
    return this.items[this.#selected] ?? null
  }

  dismiss(): void {
    this.#isDismissed = true
    this.#completion = null
  }

  /** Whether the key moved the selection. */
  move({ name, ctrl, alt }: Key): boolean {
    const by = alt
      ? 0
      : name === 'up' || (ctrl && name === 'p')
        ? -1
        : name === 'down' || (ctrl && name === 'n')
          ? 1
          : 0
    if (by === 0 || this.items.length === 0) return false
    this.#selected = (this.#selected + by + this.items.length) % this.items.length
    return true
  }
}
