/** One change of a text: at `offset`, `removed` was replaced by `inserted`. */
export interface Edit {
  offset: number
  removed: string
  inserted: string
}

/** Applies edits one after the other: each offset is in the text that the edits before it left. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { offset, removed, inserted }) => replace(text, offset, removed, inserted), text)
}

/** Takes edits back. The text must be the one that they left. */
export function revertEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight((text, { offset, removed, inserted }) => replace(text, offset, inserted, removed), text)
}

function replace(text: string, offset: number, old: string, next: string): string {
  if (!text.startsWith(old, offset)) throw new Error(`The edit at ${offset} does not fit the text`)
  return text.slice(0, offset) + next + text.slice(offset + old.length)
}

/** What a file ends its lines with. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}
