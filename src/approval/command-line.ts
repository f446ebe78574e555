import { quoteWords } from '../text/quote-words.ts'

/** One word is a command line as a shell would read it; several are a program and its arguments. */
export function commandLine(words: readonly string[]): string {
  const [only] = words
  return words.length === 1 && only !== undefined ? only : quoteWords(words)
}
