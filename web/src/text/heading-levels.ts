import type { Token, Tokens } from 'marked'

/**
 * At which level each heading of a document stands when it stands below that of the page: the first one right below it,
 * and each one at most one deeper than the one that it belongs to, however many marks an agent gave it.
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
