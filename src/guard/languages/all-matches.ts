/** As `matchAll` with a pattern of the flag `g`, which copies the pattern at each call: that takes longer than most searches. */
export function allMatches(text: string, pattern: RegExp, most = Number.POSITIVE_INFINITY): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  const needed = neededText(pattern)
  if (needed !== '' && !text.includes(needed)) return found
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && found.length < most; match = pattern.exec(text)) {
    found.push(match)
    if (match[0] === '') pattern.lastIndex += 1
  }
  pattern.lastIndex = 0
  return found
}

const known = new WeakMap<RegExp, string>()

/** A text that every match contains, as far as the pattern is simple enough to tell: looking for it first is much quicker. */
export function neededText(pattern: RegExp): string {
  const before = known.get(pattern)
  if (before !== undefined) return before
  const needed = pattern.ignoreCase ? '' : longestText(pattern.source)
  known.set(pattern, needed)
  return needed
}

/** A character, an escape, a class or a bracket, with what says how often it comes. */
const tokens = /(?:\\.|\[(?:[^\]\\]|\\.)*\]|[^\\[])(?:[?*]|\{[^}]*\})?/g

/** The longest text outside of groups and classes; empty where the pattern has alternatives there. */
function longestText(source: string): string {
  let [longest, text, depth] = ['', '', 0]
  for (const [token] of source.matchAll(tokens)) {
    if (token[0] === '(') depth += 1
    else if (token[0] === ')') depth -= 1
    else if (token === '|' && depth === 0) return ''
    const isText = depth === 0 && (token === '\\.' || /^\w$/.test(token))
    text = isText ? text + token.slice(-1) : ''
    if (text.length > longest.length) longest = text
  }
  return longest
}
