/** As `matchAll` with a pattern of the flag `g`, which copies the pattern at each call: that takes longer than most searches. */
export function allMatches(text: string, pattern: RegExp, most = Number.POSITIVE_INFINITY): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && found.length < most; match = pattern.exec(text)) {
    found.push(match)
    if (match[0] === '') pattern.lastIndex += 1
  }
  pattern.lastIndex = 0
  return found
}
