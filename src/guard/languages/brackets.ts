/** Splits code at a separator outside of brackets. */
export function splitOutsideBrackets(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (depth === 0 && char === separator[0] && text.startsWith(separator, i)) {
      parts.push(text.slice(start, i))
      i += separator.length - 1
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

const longestCall = 2_000

/** The arguments of a call, split at commas outside brackets, and where they end; `from` is just after the opening bracket. */
export function argumentsAt(text: string, from: number): { args: string[]; end: number } {
  const args: string[] = []
  let depth = 0
  let start = from
  const last = Math.min(text.length, from + longestCall)
  // Between brackets, a line break ends nothing.
  const isOpen = text[from - 1] === '('
  for (let i = from; i < last; i += 1) {
    const char = text[i] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) {
      depth -= 1
      if (depth < 0) return finish(i)
    } else if (char === ',' && depth === 0) {
      args.push(text.slice(start, i))
      start = i + 1
    } else if ((char === ';' || (char === '\n' && !isOpen)) && depth === 0) return finish(i)
  }
  return finish(last)

  function finish(end: number) {
    args.push(text.slice(start, end))
    return { args, end }
  }
}

/** The index of the bracket that closes the one at `from`; the end of the text if none does. */
export function closingBracket(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i += 1) {
    if ('([{'.includes(text[i] ?? '')) depth += 1
    else if (')]}'.includes(text[i] ?? '')) {
      depth -= 1
      if (depth === 0) return i
    }
  }
  return text.length
}

const longestReceiver = 400

/** The expression that ends at `end`: the object of a method call. */
export function receiverBefore(text: string, end: number): string {
  let depth = 0
  const first = Math.max(0, end - longestReceiver)
  for (let i = end - 1; i >= first; i -= 1) {
    const char = text[i] ?? ''
    if (')]}'.includes(char)) depth += 1
    else if ('([{'.includes(char)) {
      depth -= 1
      if (depth < 0) return text.slice(i + 1, end)
    } else if (depth === 0 && !/[\w.«»$@:!?>-]/.test(char)) {
      // `new File(x).delete()`
      const isNew = /\bnew\s$/.test(text.slice(Math.max(0, i - 4), i + 1))
      return text.slice(isNew ? i - 3 : i + 1, end)
    }
  }
  return text.slice(first, end)
}
