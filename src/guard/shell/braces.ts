const mostAlternatives = 256

/** The alternatives of `{a,b}` or `{1..9}`, still in shell syntax; null if it is not a brace expansion. */
export function braceAlternatives(text: string): string[] | null {
  const inner = text.slice(1, -1)
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(inner)
  if (range) return rangeOf(range[1] ?? '', range[2] ?? '', Math.abs(Number(range[3] ?? 1)) || 1)
  const alternatives = splitAtCommas(inner)
  return alternatives.length < 2 ? null : alternatives.slice(0, mostAlternatives)
}

/** Text that means itself to a shell. */
export function isPlainText(text: string): boolean {
  return /^[\w./:@%+-]+$/.test(text)
}

function rangeOf(from: string, to: string, step: number): string[] {
  const isNumber = /\d$/.test(from)
  const [first, last] = [from, to].map(end => (isNumber ? Number(end) : end.charCodeAt(0))) as [number, number]
  const direction = first <= last ? step : -step
  const values: string[] = []
  for (let value = first; direction > 0 ? value <= last : value >= last; value += direction) {
    values.push(isNumber ? String(value) : String.fromCharCode(value))
    if (values.length === mostAlternatives) break
  }
  return values
}

/** Splits at commas that are not inside quotes, braces or substitutions. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (char === '\\' && quote !== "'") i += 1
    else if (quote) quote = char === quote ? '' : quote
    else if (char === "'" || char === '"' || char === '`') quote = char
    else if (char === '{' || char === '(') depth += 1
    else if (char === '}' || char === ')') depth -= 1
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}
