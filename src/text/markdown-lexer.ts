import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'

// Marked is quadratic in several places, so that a few hostile pages could keep it busy for minutes. These limits are far
// above real documents, and bound each page to about a second.
const deepest = 50
const mostMarkers = 6_000
const mostTableScans = 100_000_000
const mostTableCells = 100_000
const mostTableText = 2_000_000
const mostLinkText = 1_000_000
const mostHeadingScans = 100_000_000
const mostInlineNanoseconds = 300_000_000

/** The tokens of a Markdown source. Undefined if it exceeds the limits or makes the parser fail. */
export function lexMarkdown(written: string): readonly Token[] | undefined {
  const source = written.replaceAll(/\r\n?/g, '\n')
  if (hasTooManyMarkers(source) || hasTooLargeTables(source)) return undefined
  try {
    const tokens = new LimitedLexer({ gfm: true, tokenizer: new LimitedTokenizer() }).lex(source)
    return hasTooMuchLinkText(source, Object.values(tokens.links)) ? undefined : tokens
  } catch {
    return undefined
  }
}

const marker = '(?:>|[-*+](?=[ \\t\\n])|\\d{1,9}[.)](?=[ \\t\\n]))'
const marked = new RegExp(`^[ \\t]*${marker}`, 'gm')
const markedDeep = new RegExp(`^(?:[ \\t]*${marker}){${deepest}}`, 'm')

/** Too many quotes and list items, or too deeply nested ones: each level is a level of recursion. */
function hasTooManyMarkers(source: string): boolean {
  return markedDeep.test(source) || (source.match(marked)?.length ?? 0) > mostMarkers
}

/** Marked pads every row, however short, to all columns, and scans the source at every possible start of a table. */
function hasTooLargeTables(source: string): boolean {
  const lines = source.split('\n')
  const sum = { starts: 0, cells: 0, text: 0 }
  let columns = 0
  let names = 0
  lines.forEach((line, at) => {
    if (isDelimiterRow(line)) {
      columns = line.split('|').length
      names = lines[at - 1]?.length ?? 0
      sum.starts++
    } else if (/^[ \t>]*$/.test(line)) columns = names = 0
    sum.cells += columns
    sum.text += names
  })
  return sum.starts * source.length > mostTableScans || sum.cells > mostTableCells || sum.text > mostTableText
}

function isDelimiterRow(line: string): boolean {
  return line.includes('-') && /^[ \t>|:-]+$/.test(line)
}

/** A long link definition that is referenced often yields more text than the source has. */
function hasTooMuchLinkText(source: string, links: readonly { href: string; title?: string | null }[]): boolean {
  const defined = links.reduce((length, { href, title }) => length + href.length + (title?.length ?? 0), 0)
  return defined * source.split('[').length > mostLinkText
}

/** Fails on list items with too many lines: for each line, Marked scans all that follow for a heading's underline. */
class LimitedTokenizer extends Tokenizer {
  #scanned = 0

  override lheading(source: string): Tokens.Heading | undefined {
    const end = source.indexOf('\n\n')
    this.#scanned += end < 0 ? source.length : end
    if (this.#scanned > mostHeadingScans) throw new RangeError('A list item has too many lines.')
    return super.lheading(source)
  }
}

/** Has a budget for inline text. Text that would exceed it, or is nested too deeply, stays as it was written. */
class LimitedLexer extends Lexer {
  #budget = mostInlineNanoseconds
  #depth = 0

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const cost = costOf(source)
    if (cost > this.#budget || this.#depth >= deepest) {
      tokens.push({ type: 'text', raw: source, text: source })
      return tokens
    }
    this.#budget -= cost
    this.#depth++
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.#depth--
    }
  }
}

/** A rough estimate in nanoseconds: punctuation may cause a scan of all that follows, emphasis a scan per pair. */
function costOf(source: string): number {
  const marks = source.match(/[!-/:-@[-`{-~]/g)?.length ?? 0
  const delimiters = source.match(/[*_~]+/g)?.length ?? 0
  return marks * source.length + 250 * delimiters ** 2
}
