import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'

// A parser of Markdown can be made to work for minutes by a few pages that no one would write for a person: Marked is
// quadratic in more than one place. These limits are far above what is written, and hold each page to about a second.
const deepest = 50
const mostMarkers = 6_000
const mostTableScans = 100_000_000
const mostTableCells = 100_000
const mostTableText = 2_000_000
const mostLinkText = 1_000_000
const mostHeadingScans = 100_000_000
const mostInlineNanoseconds = 300_000_000

/** The tokens of a Markdown source; nothing if it is built to be too much for a parser, or breaks it. */
export function lexMarkdown(written: string): readonly Token[] | undefined {
  const source = written.replaceAll(/\r\n?/g, '\n')
  if (marksTooMuch(source) || tabulatesTooMuch(source)) return undefined
  try {
    const tokens = new ThriftyLexer({ gfm: true, tokenizer: new ThriftyTokenizer() }).lex(source)
    return linksTooMuch(source, Object.values(tokens.links)) ? undefined : tokens
  } catch {
    return undefined
  }
}

const marker = '(?:>|[-*+](?=[ \\t\\n])|\\d{1,9}[.)](?=[ \\t\\n]))'
const marked = new RegExp(`^[ \\t]*${marker}`, 'gm')
const markedDeep = new RegExp(`^(?:[ \\t]*${marker}){${deepest}}`, 'm')

/** Too many quotes and list items, or too many inside one another: each of those is a level of recursion. */
function marksTooMuch(source: string): boolean {
  return markedDeep.test(source) || (source.match(marked)?.length ?? 0) > mostMarkers
}

/** A row of one character is given every column there is, and a name for each; and every start of a table is a scan. */
function tabulatesTooMuch(source: string): boolean {
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

/** One long definition, referred to often, is more text than was written. */
function linksTooMuch(source: string, links: readonly { href: string; title?: string | null }[]): boolean {
  const defined = links.reduce((length, { href, title }) => length + href.length + (title?.length ?? 0), 0)
  return defined * source.split('[').length > mostLinkText
}

/** Gives up on list items of too many lines: at each of them, Marked looks through all that follow for an underline. */
class ThriftyTokenizer extends Tokenizer {
  #scanned = 0

  override lheading(source: string): Tokens.Heading | undefined {
    const end = source.indexOf('\n\n')
    this.#scanned += end < 0 ? source.length : end
    if (this.#scanned > mostHeadingScans) throw new RangeError('A list item has too many lines.')
    return super.lheading(source)
  }
}

/** Has a purse for inline text; text that costs more than is left, or lies too deep, stays as it was written. */
class ThriftyLexer extends Lexer {
  #purse = mostInlineNanoseconds
  #depth = 0

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const cost = costOf(source)
    if (cost > this.#purse || this.#depth >= deepest) {
      tokens.push({ type: 'text', raw: source, text: source })
      return tokens
    }
    this.#purse -= cost
    this.#depth++
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.#depth--
    }
  }
}

/** Roughly, in nanoseconds: any punctuation may mean a look at all that follows, and emphasis one at every other. */
function costOf(source: string): number {
  const marks = source.match(/[!-/:-@[-`{-~]/g)?.length ?? 0
  const delimiters = source.match(/[*_~]+/g)?.length ?? 0
  return marks * source.length + 250 * delimiters ** 2
}
