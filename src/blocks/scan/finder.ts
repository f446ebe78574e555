import { anySearchTerm, type SearchTerm, searchTerms } from './tags.ts'

/** Finds candidates for tags and fences, going forward through one chunk at a time. */
export interface Finder {
  /** Starts a new chunk. */
  begin(): void
  /** The next candidate at or after `from`, or infinity. Searches each byte once per term. */
  next(bytes: Buffer, from: number): number
}

export function createFinder(): Finder {
  const positions = searchTerms.map(() => -1)
  let first = -1
  return { begin, next }

  function begin() {
    positions.fill(-1)
    first = -1
  }

  function next(bytes: Buffer, from: number): number {
    if (first >= from) return first
    first = Number.POSITIVE_INFINITY
    for (let i = 0; i < searchTerms.length; i += 1) {
      let position = positions[i] as number
      if (position < from) {
        position = find(bytes, searchTerms[i] as SearchTerm, from)
        positions[i] = position
      }
      if (position < first) first = position
    }
    return first
  }
}

function find(bytes: Buffer, term: SearchTerm, from: number): number {
  const { after } = term
  let position = bytes.indexOf(term.bytes, from)
  if (after !== undefined) {
    while (position >= 0 && (position === from || bytes[position - 1] !== after)) {
      position = bytes.indexOf(term.bytes, position + 1)
    }
  }
  return position < 0 ? Number.POSITIVE_INFINITY : position
}

/** Whether a line, decoded as Latin-1, may contain a tag or a fence. */
export function isCandidate(line: string): boolean {
  return anySearchTerm.test(line)
}
