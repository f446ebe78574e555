/** Words are in upper case; strings and quoted names are unchanged. */
export interface SqlToken {
  kind: 'word' | 'name' | 'string' | 'number' | 'symbol'
  text: string
}

/** Splits SQL into statements of tokens, without comments, except for those with an exclamation mark, which MySQL runs. */
export function tokenizeSql(source: string): SqlToken[][] {
  const statements: SqlToken[][] = []
  let tokens: SqlToken[] = []
  for (let at = 0; at < source.length; ) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (!match) {
      at += 1
      continue
    }
    at = pattern.lastIndex
    const { string, name, dollar, number, word, live, symbol } = match.groups ?? {}
    if (string !== undefined) tokens.push({ kind: 'string', text: string.slice(1, -1) })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.slice(1, -1) })
    else if (dollar !== undefined) tokens.push({ kind: 'string', text: dollar.replace(/^\$\w*\$|\$\w*\$$/g, '') })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toUpperCase() })
    else if (live !== undefined) for (const token of tokenizeSql(live.replace(/^\d+/, '')).flat()) tokens.push(token)
    else if (symbol === ';') finish()
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
  }
  finish()
  return statements

  function finish() {
    if (tokens.length > 0) statements.push(tokens)
    tokens = []
  }
}

const pattern = new RegExp(
  [
    String.raw`\s+`,
    String.raw`--[^\n]*`,
    String.raw`\/\*!(?<live>[\s\S]*?)\*\/`,
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`(?<string>'(?:[^'\\]|''|\\[\s\S])*(?:'|$))`,
    String.raw`(?<name>"(?:[^"]|"")*(?:"|$)|${'`'}[^${'`'}]*(?:${'`'}|$)|\[\w[^\]\n]{0,128}\])`,
    String.raw`(?<dollar>\$(?<tag>[A-Za-z_]*)\$[\s\S]*?(?:\$\k<tag>\$|$))`,
    String.raw`(?<number>\d[\d.eE]*)`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff\0][\w$\u0080-\uffff\0]*)`,
    String.raw`#[^\n]*`,
    String.raw`(?<symbol><>|!=|>=|<=|\|\||[\s\S])`,
  ].join('|'),
  'y',
)
