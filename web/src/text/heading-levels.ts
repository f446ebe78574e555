import type { Token, Tokens } from 'marked'

/**
 * The level of each heading of a document inside the page. Headings start right below the page's own, and each is at most
 * one level deeper than its parent, whatever depth the agent gave it.
 */
export function headingLevels(tokens: readonly Token[]): ReadonlyMap<Token, number> {
  const levels = new Map<Token, number>()
  const above: number[] = []
  for (const heading of headingsIn(tokens)) {
    while ((above.at(-1) ?? 0) >= heading.depth) above.pop()
    above.push(heading.depth)
    levels.set(heading, Math.min(6, above.length + 1))
  }
  return levels
}

function headingsIn(tokens: readonly Token[]): Tokens.Heading[] {
  return tokens.flatMap(token => {
    if (token.type === 'heading') return [token as Tokens.Heading]
    if (token.type === 'blockquote') return headingsIn(token.tokens ?? [])
    return token.type === 'list' ? (token as Tokens.List).items.flatMap(item => headingsIn(item.tokens)) : []
  })
}
