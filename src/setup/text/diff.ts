/**
 * The lines that differ between two texts, as `-` and `+` lines, without context: what surrounds a change in a
 * configuration file may be secret. Of a line that only grew or shrank, that part alone: `+ …, "beckon": {}…`.
 */
export function diffLines(before: string, after: string): string[] {
  const old = linesOf(before)
  const next = linesOf(after)
  const [start, endOfOld, endOfNext] = differing(old, next)
  return merge(old.slice(start, endOfOld), next.slice(start, endOfNext))
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

/** Where both begin to differ, and where each of them is the same again up to the end. */
function differing(old: readonly string[], next: readonly string[]): [number, number, number] {
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1
  let endOfOld = old.length
  let endOfNext = next.length
  while (endOfOld > start && endOfNext > start && old[endOfOld - 1] === next[endOfNext - 1]) {
    endOfOld -= 1
    endOfNext -= 1
  }
  return [start, endOfOld, endOfNext]
}

/** Setup only adds lines and changes a few, so looking for the next common line is good enough. */
function merge(old: readonly string[], next: readonly string[]): string[] {
  const lines: string[] = []
  let at = 0
  for (const line of old) {
    const found = next.indexOf(line, at)
    if (found < 0) {
      const other = next[at]
      const grown = other === undefined ? null : insertion(line, other)
      const shrunk = other === undefined ? null : insertion(other, line)
      if (grown ?? shrunk) at += 1
      lines.push(grown ? `+ ${grown}` : shrunk ? `- ${shrunk}` : `- ${line}`)
      continue
    }
    lines.push(...next.slice(at, found).map(added => `+ ${added}`))
    at = found + 1
  }
  return [...lines, ...next.slice(at).map(added => `+ ${added}`)]
}

/** What was inserted into a line, if nothing else was changed in it but a comma at its end. */
function insertion(line: string, longer: string): string | null {
  // Brackets alone are in every line.
  if (!/\w/.test(line)) return null
  if (longer === `${line},`) return '…,'
  const whole = longer.endsWith(',') && !line.endsWith(',') ? `${line},` : line
  let start = 0
  while (start < whole.length && whole[start] === longer[start]) start += 1
  const rest = whole.slice(start)
  if (longer.length <= whole.length || !longer.slice(start).endsWith(rest)) return null
  return `…${longer.slice(start, longer.length - rest.length)}${rest === '' ? '' : '…'}`
}
