import type { Analysis } from './analysis.ts'

/** Replaces every occurrence, and counts the result before it is built: it can be far longer than both texts. */
export function replaceCounted(text: string, from: string, to: string, analysis: Analysis): string {
  const parts = text.split(from)
  analysis.countCharacters(text.length + (parts.length - 1) * to.length)
  return parts.join(to)
}
