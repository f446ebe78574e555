import { UneditableFile } from './json.ts'

/** What a TOML file names: a table's header, a list of tables, or a key with its value. */
export interface TomlName {
  kind: 'table' | 'list' | 'value'
  path: readonly string[]
}

/** Every name in a TOML file, with the table that it stands in. Reads no values, but knows where they end. */
export function namesInToml(text: string): TomlName[] {
  const names: TomlName[] = []
  let table: readonly string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    at = skip(/(?:[ \t\r\n]|#[^\n]*)*/y, at)
    if (at >= text.length) return names
    const [opening = ''] = match(/\[\[?/y, at) ?? []
    const key = readKey(at + opening.length)
    at = key.end
    if (opening) {
      at = expect(opening.replaceAll('[', ']'), at)
      table = key.path
      names.push({ kind: opening === '[' ? 'table' : 'list', path: table })
    } else {
      names.push({ kind: 'value', path: [...table, ...key.path] })
      at = skipValue(expect('=', at))
    }
    at = skip(/[ \t]*(?:#[^\n]*)?/y, at)
    if (at < text.length && !match(/\r?\n/y, at)) fail(at)
  }

  function readKey(from: number): { path: string[]; end: number } {
    const path: string[] = []
    for (let at = from; ; at += 1) {
      at = skip(/[ \t]*/y, at)
      const [part] = match(/[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y, at) ?? fail(at)
      path.push(unquote(part))
      at = skip(/[ \t]*/y, at + part.length)
      if (text[at] !== '.') return { path, end: at }
    }
  }

  /** To its end: of the line, or of the list or table that it opens. */
  function skipValue(from: number): number {
    let depth = 0
    let at = skip(/[ \t]*/y, from)
    const start = at
    while (at < text.length) {
      const [string] = match(/"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y, at) ?? []
      const char = text[at] ?? ''
      if (string !== undefined) at += string.length
      else if ('"\''.includes(char)) fail(at)
      else if ('[{'.includes(char)) [depth, at] = [depth + 1, at + 1]
      else if (']}'.includes(char) && depth > 0) [depth, at] = [depth - 1, at + 1]
      else if (char === '#' && depth > 0) at = skip(/[^\n]*/y, at)
      else if (depth === 0 && /[#\r\n]/.test(char)) break
      else at += 1
    }
    if (depth > 0 || at === start) fail(start)
    return at
  }

  function match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(text)
  }

  function skip(pattern: RegExp, at: number): number {
    return at + (match(pattern, at)?.[0].length ?? 0)
  }

  function expect(token: string, from: number): number {
    const at = skip(/[ \t]*/y, from)
    return text.startsWith(token, at) ? at + token.length : fail(at)
  }

  function fail(at: number): never {
    throw new UneditableFile(`line ${text.slice(0, at).split('\n').length} is not valid TOML`)
  }
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1)
  if (!part.startsWith('"')) return part
  try {
    return JSON.parse(part)
  } catch {
    return part.slice(1, -1)
  }
}
