/** Words as a person would type them, so that a shell reads exactly these. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
