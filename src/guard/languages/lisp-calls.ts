/** Writes Lisp as other languages do: `(f a "b")` becomes `f(a, "b")`; the signs in a name become underscores. */
export function lispCalls(source: string): string {
  const written: string[] = []
  let last = ''
  let isName = false
  for (const token of source.match(/[()[\]]|«\d+»|[^\s()[\]«»]+/g) ?? []) {
    if (token === '(' || token === '[') {
      if (isName) write('(')
      else separate()
      isName = token === '(' && last !== "'"
      if (!isName) write('[')
    } else if (token === ')' || token === ']') {
      write(token)
      isName = false
    } else if (isName && !token.startsWith('«')) {
      write(`${token.replace(/[^\w.'?]/g, '_')}(`)
      isName = false
    } else {
      if (isName) write('(')
      else separate()
      write(token.replace(/^#[pP]$/, ''))
      isName = false
    }
  }
  return written.join('')

  function separate(): void {
    if (last !== '' && !/[(,[']$/.test(last)) write(', ')
  }

  function write(text: string): void {
    written.push(text)
    last = text === ', ' ? ',' : text
  }
}
