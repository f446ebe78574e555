import { reviewLimits } from '../../protocol/limits.ts'
import { notePrefix } from '../../text/diff.ts'
import type { FileDiff } from '../git/diff.ts'

/**
 * One unified diff of all files, within the limit. Where they are too long, the longest are cut, so that a large file
 * cannot push a small one out of sight. A note says how much is missing.
 */
export function unifiedDiff(diffs: readonly FileDiff[]): string {
  const longest = fairShare(
    diffs.map(({ diff }) => diff.length),
    reviewLimits.total - diffs.length * roomForNote,
  )
  return diffs.map(diff => textOf(diff, longest)).join('')
}

const roomForNote = 80

/** The length that every text may have, so that all of them together stay within the total. */
function fairShare(lengths: readonly number[], total: number): number {
  let left = Math.max(0, total)
  const shortestFirst = lengths.toSorted((a, b) => a - b)
  for (const [i, length] of shortestFirst.entries()) {
    const share = Math.floor(left / (shortestFirst.length - i))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function textOf({ file, diff, cut, added, removed, tooLarge }: FileDiff, longest: number): string {
  const header = `diff --git ${quoted(`a/${file}`)} ${quoted(`b/${file}`)}\n`
  if (tooLarge !== undefined) return `${header}${notePrefix}Not compared: ${inUnits(tooLarge)}\n`
  if (!cut && diff.length <= longest) return withLineEnd(diff)
  const kept = diff.slice(0, diff.length > longest ? diff.lastIndexOf('\n', longest) + 1 : undefined)
  const shows = /^@@ /m.test(kept)
  const numbers = `+${added} -${removed} lines`
  return `${kept === '' ? header : withLineEnd(kept)}${notePrefix}${shows ? `Cut here: ${numbers} in all` : `Too long to show: ${numbers}`}\n`
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** As git quotes a name that would otherwise break the line. */
function quoted(name: string): string {
  if (!/[\p{Cc}"\\]/u.test(name)) return name
  const asEscape = (one: string) =>
    one === '"' || one === '\\' ? `\\${one}` : `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${name.replaceAll(/[\p{Cc}"\\]/gu, asEscape)}"`
}

function inUnits(bytes: number): string {
  return bytes < 1_000_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000_000)} MB`
}
