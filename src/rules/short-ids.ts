// How much of an id a list shows. With five letters, one in three thousand is ambiguous among ten thousand stored.
const usualLength = 5

/** The end of each id that a person can type instead: the same length for all, and unique among them. */
export function shortIds(ids: readonly string[]): string[] {
  const longest = Math.max(0, ...ids.map(id => randomPart(id).length))
  for (let length = usualLength; length < longest; length += 1) {
    const short = ids.map(id => randomPart(id).slice(-length))
    if (new Set(short).size === new Set(ids).size) return short
  }
  return ids.map(randomPart)
}

function randomPart(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}
