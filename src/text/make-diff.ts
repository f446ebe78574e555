const context = 3
// Comparing every line with every other one takes too long beyond this; then all of them count as replaced.
const mostCompared = 4_000_000

interface Change {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** A unified diff of one file; a null `before` means that the file is new. Empty if nothing changed. */
export function makeDiff(path: string, before: string | null, after: string): string {
  const changes = compare(linesOf(before ?? ''), linesOf(after))
  const hunks = hunksOf(changes)
  if (hunks.length === 0) return ''
  const names = [`--- ${before === null ? '/dev/null' : `a/${path}`}`, `+++ b/${path}`]
  return [...names, ...hunks.flatMap(([from, to]) => hunkLines(changes, from, to))].join('\n')
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}

/** What both begin and end with is skipped, so that a small change of a large file is quick. */
function compare(before: readonly string[], after: readonly string[]): Change[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [
    ...before.slice(0, start).map(same),
    ...compareAll(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** By their longest common subsequence. */
function compareAll(before: readonly string[], after: readonly string[]): Change[] {
  if (before.length * after.length > mostCompared) return [...before.map(removed), ...after.map(added)]
  const width = after.length + 1
  /** The number of lines that the rests from here on have in common. */
  const common = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const changes: Change[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    if (old !== undefined && old === next) {
      changes.push(same(old))
      i += 1
      j += 1
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push(removed(old))
      i += 1
    } else if (next !== undefined) {
      changes.push(added(next))
      j += 1
    }
  }
  return changes

  function at(i: number, j: number): number {
    return common[i * width + j] ?? 0
  }
}

const same = (text: string): Change => ({ sign: ' ', text })
const removed = (text: string): Change => ({ sign: '-', text })
const added = (text: string): Change => ({ sign: '+', text })

/** The parts with changes and the lines around them, as first and last index; parts that touch are one. */
function hunksOf(changes: readonly Change[]): [number, number][] {
  const hunks: [number, number][] = []
  for (const [i, { sign }] of changes.entries()) {
    if (sign === ' ') continue
    const from = Math.max(0, i - context)
    const to = Math.min(changes.length - 1, i + context)
    const last = hunks.at(-1)
    if (last && from <= last[1] + 1) last[1] = to
    else hunks.push([from, to])
  }
  return hunks
}

function hunkLines(changes: readonly Change[], from: number, to: number): string[] {
  const lines = changes.slice(from, to + 1)
  const count = (part: readonly Change[], sign: '-' | '+') => part.filter(one => one.sign !== sign).length
  const [old, fresh] = [count(lines, '+'), count(lines, '-')]
  const first = (sign: '-' | '+', length: number) => count(changes.slice(0, from), sign) + (length > 0 ? 1 : 0)
  return [
    `@@ -${first('+', old)},${old} +${first('-', fresh)},${fresh} @@`,
    ...lines.map(({ sign, text }) => `${sign}${text}`),
  ]
}
