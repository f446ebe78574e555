import type { Entry } from './entries.ts'

/** An entry and its line in the journal, counted from 0. */
export interface JournalLine {
  readonly entry: Entry
  readonly line: number
}

/**
 * The lines that count: without what a rewind cut off. A rewind says how many lines the conversation goes back to, so one
 * that goes back to just before another rewind brings back what that one cut off.
 */
export function countingLines(entries: readonly Entry[], end = entries.length): JournalLine[] {
  for (let i = end - 1; i >= 0; i -= 1) {
    const entry = entries[i]
    if (entry?.type === 'rewound')
      return [...countingLines(entries, Math.min(entry.to, i)), ...linesOf(entries, i + 1, end)]
  }
  return linesOf(entries, 0, end)
}

function linesOf(entries: readonly Entry[], from: number, end: number): JournalLine[] {
  return entries.slice(from, end).map((entry, i) => ({ entry, line: from + i }))
}
