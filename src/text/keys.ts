const longWord = /[\w+/=.~-]{16,}/g

/** The text without long words of letters and digits: keys, tokens, hashes. File names and plain words stay. */
export function hideKeys(text: string): string {
  return text.replaceAll(longWord, word => {
    const digits = word.match(/\d/g)?.length ?? 0
    return digits >= 3 && /[a-z]/i.test(word) ? '[…]' : word
  })
}

/** Whether something in the text looks like a key. */
export function hidesKeys(text: string): boolean {
  return hideKeys(text) !== text
}
