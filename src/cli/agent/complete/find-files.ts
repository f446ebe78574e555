const most = 20

/**
 * The paths that match best: by the start of their name, then by a part of it, of the path, or by its letters in order. Of
 * equals the first ones, so that nothing is sorted at each key.
 */
export function findFiles(paths: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase()
  const ranks: string[][] = [[], [], [], []]
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted)
    const same = rank === null ? undefined : ranks[rank]
    if (same && same.length < most) same.push(path)
    if (rank === 0 && same?.length === most) break
  }
  return ranks.flat().slice(0, most)
}

function rankOf(path: string, wanted: string): number | null {
  if (wanted === '') return path.includes('/') ? 1 : 0
  const at = path.lastIndexOf(wanted)
  if (at < 0) return hasInOrder(path, wanted) ? 3 : null
  const start = path.lastIndexOf('/') + 1
  if (at < start) return 2
  return path.startsWith(wanted, start) ? 0 : 1
}

function hasInOrder(path: string, wanted: string): boolean {
  let at = -1
  for (const letter of wanted) {
    at = path.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}
