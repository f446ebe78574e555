import { factLimits } from '../../protocol/facts.ts'

/** Sentences for a person, each once, in the order they were said. */
export class Sentences {
  readonly #all = new Set<string>()

  get size(): number {
    return this.#all.size
  }

  add(sentence: string): void {
    const text = sentence.replaceAll('\0', '').toWellFormed()
    if (this.#all.size < factLimits.unbound) this.#all.add(text.slice(0, factLimits.sentence))
  }

  list(): string[] {
    return [...this.#all]
  }
}
