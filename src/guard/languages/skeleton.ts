import { unknownText } from '../interpret/arguments.ts'
import type { Language } from './language.ts'
import { literalPatterns } from './literals.ts'

/**
 * Code to search for calls: without comments, with every string replaced by «n», or by §«n» if the string runs. A line break
 * in either leaves a vertical tab, so that lines can be counted.
 */
export interface Skeleton {
  text: string
  /** Parts that are computed are `unknownText`. */
  strings: string[]
  /** Strings with computed parts: each part is kept as \x02expression\x03. */
  templates: ReadonlyMap<number, string>
}

export function skeletonOf(language: Language, source: string): Skeleton {
  const strings: string[] = []
  const templates = new Map<number, string>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these mark lists and templates here.
  const clean = /[\x01-\x03«»§]/.test(source) ? source.replace(/[\x01-\x03«»§]/g, ' ') : source
  const text = clean.replace(literalPatterns[language], (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { comment?: string; string?: string; prefix?: string; words?: string }
    const breaks = found.includes('\n') ? '\v'.repeat(found.split('\n').length - 1) : ''
    if (groups.comment !== undefined) return ` ${breaks}`
    if (groups.words !== undefined) return `[${groups.words.split(/\s+/).filter(Boolean).map(add).join(',')}]${breaks}`
    const runs = language === 'julia' ? found.startsWith('`') : language !== 'javascript' && /^(`|%x|qx)/.test(found)
    return `${runs ? '§' : ''}${add(valueOfString(language, groups.string ?? found, groups.prefix ?? ''))}${breaks}`
  })
  return { text, strings, templates }

  function add(value: string): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
    strings.push(value.replace(/\x02[^\x03]*\x03/g, unknownText))
    if (value.includes('\x02')) templates.set(strings.length - 1, value)
    return `«${strings.length - 1}»`
  }
}

/** The value of a literal, with \x02…\x03 around parts that are computed. */
function valueOfString(language: Language, literal: string, prefix: string): string {
  const quote = /^("""|'''|\[\[|[\s\S])/.exec(literal)?.[0] ?? ''
  const end = quote === '[[' ? ']]' : quote === '<' ? '>' : quote
  let inner = literal.slice(quote.length, literal.endsWith(end) ? literal.length - quote.length : undefined)
  if (/^[%q~]/.test(literal)) inner = literal.replace(/^[%~]?[qQxsS]*\s*[({[<|!/]/, '').slice(0, -1)
  const computed = computedParts(language, quote, prefix)
  const isRaw = /r/i.test(prefix) || quote === '[['
  if (!computed) return isRaw ? inner : unescapeString(inner, language)
  const marked = inner.replace(computed, found =>
    found === '{{' || found === '}}' ? (found[0] ?? '') : `\x02${found}\x03`,
  )
  return isRaw ? marked : unescapeString(marked, language)
}

function computedParts(language: Language, quote: string, prefix: string): RegExp | null {
  if (language === 'python') return /f/i.test(prefix) ? /\{\{|\}\}|\{[^{}]*\}/g : null
  if (language === 'javascript') return quote === '`' ? /\$\{[^}]*\}/g : null
  if (quote === "'") return null
  if (language === 'ruby' || language === 'elixir') return /#\{[^}]*\}/g
  if (language === 'perl' || language === 'php')
    return /(?<!\\)(?:\{\$\w+(?:\[[^\]]*\])?\}|\$\w+(?:\{\w+\}|\[\w+\])?|[$@]\{\w+\}|@\w+)/g
  if (language === 'julia') return /(?<!\\)\$(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\w+)/g
  return language === 'java' ? /\$\{[^}]*\}/g : null
}

function unescapeString(text: string, language: Language): string {
  return text.replace(/\\(x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{1,6}\}?|[0-9]{1,3}|\n|.)/g, (_, found: string) => {
    if (found[0] === 'x') return String.fromCharCode(Number.parseInt(found.slice(1), 16))
    if (found[0] === 'u' && found.length > 1)
      return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(found.replace(/[u{}]/g, ''), 16)))
    if (/^[0-9]/.test(found)) return numberedCharacter(found, language)
    return { n: '\n', t: '\t', r: '\r', '\n': '' }[found] ?? found
  })
}

/** `\114` is octal; in Lua it is decimal. */
function numberedCharacter(digits: string, language: Language): string {
  if (language === 'lua') return String.fromCharCode(Number(digits))
  return /^[0-7]+$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 8)) : digits
}
