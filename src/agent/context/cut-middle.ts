import { estimateTokens } from './tokens.ts'

/** A text of at most about `room` tokens: its head, a note about what is missing, and its tail. */
export function cutMiddle(
  text: string,
  room: number,
  { headShare, note }: { headShare: number; note: (missing: number) => string },
): string {
  const tokens = estimateTokens(text)
  if (tokens <= room) return text
  const characters = Math.floor((text.length * room) / tokens)
  const head = Math.floor(characters * headShare)
  const tail = text.length - (characters - head)
  return `${text.slice(0, head)}\n\n${note(tail - head)}\n\n${text.slice(tail)}`.toWellFormed()
}
