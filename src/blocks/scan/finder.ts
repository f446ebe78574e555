import { marks } from './tags.ts'

/** Finds where a line may matter, going forward through one chunk at a time. */
export interface Finder {
  /** Another chunk comes. */
  begin(): void
  /** The next place at or after `from`; infinite where there is none. Each byte is looked at once per mark. */
  next(bytes: Buffer, from: number): number
}

export function createFinder(): Finder {
  const places = marks.map(() => -1)
  let first = -1
  return { begin, next }

  function begin() {
    places.fill(-1)
    first = -1
  }

  function next(bytes: Buffer, from: number): number {
    if (first >= from) return first
    first = Number.POSITIVE_INFINITY
    for (let i = 0; i < marks.length; i += 1) {
      let place = places[i] as number
      if (place < from) {
        place = bytes.indexOf(marks[i] as Buffer, from)
        if (place < 0) place = Number.POSITIVE_INFINITY
        places[i] = place
      }
      if (place < first) first = place
    }
    return first
  }
}

export function mayMatter(line: Buffer): boolean {
  return marks.some(mark => line.includes(mark))
}
