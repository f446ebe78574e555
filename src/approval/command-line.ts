/** One word is a command line as a shell would read it; several are a program and its arguments. */
export function commandLine(words: readonly string[]): string {
  const [only] = words
  return words.length === 1 && only !== undefined ? only : quoteWords(words)
}

/** Words as a person would type them, so that a shell reads exactly these. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
