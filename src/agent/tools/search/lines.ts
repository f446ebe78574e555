interface Line {
  /** From 1; null between two places that do not touch. */
  readonly number: number | null
  /** `:` for a match, `-` for what is around one. */
  readonly mark: ':' | '-'
  readonly text: string
}

/** The lines that match, with those around them, cut at `columns`. */
export function matchingLines(
  text: string,
  expression: RegExp,
  { context, columns }: { context: number; columns: number },
): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const matches = new Set(lines.flatMap((line, at) => (expression.test(line.replace(/\r$/, '')) ? [at] : [])))
  const found: Line[] = []
  let last = -1
  for (const match of matches) {
    const from = Math.max(last + 1, match - context)
    if (context > 0 && last >= 0 && from > last + 1) found.push({ number: null, mark: '-', text: '' })
    last = Math.max(last, Math.min(lines.length - 1, match + context))
    for (let at = from; at <= last; at += 1) {
      found.push({ number: at + 1, mark: matches.has(at) ? ':' : '-', text: cut(lines[at] ?? '', columns) })
    }
  }
  return found
}

function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, columns)} [... omitted end of long line]` : line
}
