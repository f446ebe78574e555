/** The text without this character at its end. A pattern such as `/\/+$/` would read every run of slashes again. */
export function trimEnd(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end -= 1
  return text.slice(0, end)
}
