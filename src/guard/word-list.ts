/** `list('-n --name')` is `['-n', '--name']`: long tables of names and options stay readable as one string. */
export function list(words: string): string[] {
  return words.split(/\s+/)
}
