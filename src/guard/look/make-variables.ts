import type { Analysis } from '../interpret/analysis.ts'
import { unknownText } from '../interpret/arguments.ts'
import { parentOf } from './nearest-file.ts'

const deepest = 12
const longest = 20_000

/** Replaces `$(NAME)` in a recipe by its value, `$(shell x)` by `$(x)`, and what it does not know by unknown text. */
export class MakeVariables {
  readonly #values: ReadonlyMap<string, string>
  readonly #automatic: ReadonlyMap<string, string>
  readonly #analysis: Analysis

  /** `automatic` are those of one recipe, such as `$@`. */
  constructor(values: ReadonlyMap<string, string>, automatic: ReadonlyMap<string, string>, analysis: Analysis) {
    this.#values = values
    this.#automatic = automatic
    this.#analysis = analysis
  }

  expand(text: string, depth = 0): string {
    this.#analysis.countSteps()
    this.#analysis.countCharacters(text.length)
    if (depth > deepest || text.length > longest) return unknownText
    let expanded = ''
    let from = 0
    for (let at = text.indexOf('$'); at >= 0 && at + 1 < text.length; at = text.indexOf('$', from)) {
      const next = text[at + 1] ?? ''
      const isLong = next === '(' || next === '{'
      const end = isLong ? closingOf(text, at + 1) : at + 1
      const value = isLong ? this.#reference(text.slice(at + 2, end), depth) : this.#valueOf(next, depth)
      expanded += text.slice(from, at) + (next === '$' ? '$' : value)
      from = end + 1
      if (expanded.length > longest) return unknownText
    }
    return expanded + text.slice(from)
  }

  #reference(inside: string, depth: number): string {
    const [, name = '', argument = ''] = /^([\w-]+)[ \t]+(.*)$/s.exec(inside) ?? []
    if (name === 'shell') return `$(${this.expand(argument, depth + 1)})`
    if (Object.hasOwn(functions, name)) return functions[name]?.(this.expand(argument, depth + 1)) ?? unknownText
    return name === '' ? this.#valueOf(inside, depth) : unknownText
  }

  #valueOf(name: string, depth: number): string {
    const value = this.#automatic.get(name) ?? this.#values.get(name)
    return value === undefined ? unknownText : this.expand(value, depth + 1)
  }
}

const wordsOf = (text: string) => text.trim().split(/\s+/)

const functions: Readonly<Record<string, (text: string) => string>> = {
  abspath: text => text,
  realpath: text => text,
  strip: text => wordsOf(text).join(' '),
  firstword: text => wordsOf(text)[0] ?? '',
  lastword: text => wordsOf(text).at(-1) ?? '',
  dir: text => (text.includes('/') ? `${parentOf(text.trim())}/` : './'),
  notdir: text => text.trim().slice(text.trim().lastIndexOf('/') + 1),
  info: () => '',
  warning: () => '',
}

/** The bracket that closes the one at this position, or the end. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (char === '(' || char === '{') depth += 1
    else if (char === ')' || char === '}') depth -= 1
    if (depth === 0) return i
  }
  return text.length
}
