/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
export interface Random {
  /** A whole number from 0 up to but not including the limit. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return { below, chance: share => next() < share, pick }

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  function pick<T>(list: readonly T[]): T {
    const chosen = list[below(list.length)]
    if (chosen === undefined) throw new Error('nothing to pick from')
    return chosen
  }
}
