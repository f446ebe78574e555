/**
 * A map that can be copied without copying its entries: a copy reads through to the map it was made from and keeps its own
 * changes. Copies live like subshells: while one is in use, the map below it does not change.
 */
export class LayeredMap<V> {
  readonly #below: LayeredMap<V> | null
  /** Undefined marks a name that was deleted here. */
  readonly #own = new Map<string, V | undefined>()
  #size: number

  constructor(below: LayeredMap<V> | null = null) {
    this.#below = below
    this.#size = below?.size ?? 0
  }

  get size(): number {
    return this.#size
  }

  /** A layer without changes is skipped, so that reading does not slow down with every subshell. */
  copy(): LayeredMap<V> {
    return new LayeredMap(this.#own.size === 0 && this.#below ? this.#below : this)
  }

  get(name: string): V | undefined {
    for (let layer: LayeredMap<V> | null = this; layer; layer = layer.#below) {
      if (layer.#own.has(name)) return layer.#own.get(name)
    }
    return undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  set(name: string, value: V): void {
    if (!this.has(name)) this.#size += 1
    this.#own.set(name, value)
  }

  delete(name: string): void {
    if (!this.has(name)) return
    this.#size -= 1
    this.#own.set(name, undefined)
  }

  /** What was set since the copy was made. */
  *changes(): Generator<[string, V]> {
    for (const [name, value] of this.#own) if (value !== undefined) yield [name, value]
  }
}
