import { unknownText } from '../interpret/arguments.ts'

export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'applescript' | 'r'

/**
 * Code to search for calls: without comments, with every string replaced by «n», or by §«n» if the string runs. A line break
 * in either leaves a vertical tab, so that lines can be counted.
 */
export interface Skeleton {
  text: string
  strings: readonly string[]
}

export function skeletonOf(language: Language, source: string): Skeleton {
  const strings: string[] = []
  const text = source.replace(patterns[language] ?? patterns.javascript, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { comment?: string; string?: string; prefix?: string; block?: string }
    const breaks = found.includes('\n') ? '\v'.repeat(found.split('\n').length - 1) : ''
    if (groups.comment !== undefined) return ` ${breaks}`
    strings.push(valueOfString(language, groups.block ?? groups.string ?? found, groups.prefix ?? ''))
    const runs = language !== 'javascript' && /^(`|%x|qx)/.test(found)
    return `${runs ? '§' : ''}«${strings.length - 1}»${breaks}`
  })
  return { text: withoutAliases(language, text), strings }
}

/** Resolves `import subprocess as s`, `from os import system`, `{ execSync: e } = require(…)` to the library's names. */
function withoutAliases(language: Language, text: string): string {
  let quotedString = text
  for (const [pattern, replacement] of aliasesIn(language, text).slice(0, 20))
    quotedString = quotedString.replace(pattern, () => replacement)
  return quotedString
}

function aliasesIn(language: Language, text: string): [RegExp, string][] {
  if (language === 'python') {
    const modules = [...text.matchAll(/\bimport\s+(os|subprocess|shutil|pathlib)\s+as\s+(\w+)/g)]
    const names = [...text.matchAll(/\bfrom\s+(os|subprocess|shutil)\s+import\s+([\w\s,]+)/g)]
    return [
      ...modules.map(([, module = '', name = '']): [RegExp, string] => [
        new RegExp(`(?<![.\\w])${name}\\.`, 'g'),
        `${module}.`,
      ]),
      ...names.flatMap(([, module = '', list = '']) =>
        list.split(',').map((item): [RegExp, string] => {
          const [name = '', alias = name] = item.trim().split(/\s+as\s+|\s/)
          return [new RegExp(`(?<![.\\w])${alias || '\\0'}\\s*\\(`, 'g'), `${module}.${name}(`]
        }),
      ),
    ]
  }
  if (language !== 'javascript') return []
  return [...text.matchAll(/\b((?:exec|spawn|fork|rm|unlink)\w*)\s*:\s*(\w+)/g)].map(([, name = '', alias = '']) => [
    new RegExp(`(?<![.\\w])${alias}\\s*\\(`, 'g'),
    `${name}(`,
  ])
}

/** The value of a literal; interpolated parts are unknown. */
function valueOfString(language: Language, literal: string, prefix: string): string {
  const quote = /^("""|'''|[\s\S])/.exec(literal)?.[0] ?? ''
  let inner = literal.slice(quote.length, literal.endsWith(quote) ? literal.length - quote.length : undefined)
  if (/^[%q]/.test(literal)) inner = literal.replace(/^%?[qQx]*\s*[({[<|!/]/, '').slice(0, -1)
  if (language === 'python') {
    if (/f/i.test(prefix))
      inner = inner.replace(/\{\{|\}\}|\{[^{}]*\}/g, found => (found.length === 2 ? (found[0] ?? '') : unknownText))
  } else if (language === 'javascript' && quote === '`') inner = inner.replace(/\$\{[^}]*\}/g, unknownText)
  else if (language === 'ruby' && quote !== "'") inner = inner.replace(/#\{[^}]*\}/g, unknownText)
  else if ((language === 'perl' || language === 'php') && quote !== "'")
    inner = inner.replace(/(?<!\\)[$@]\{?\w+\}?/g, found => (found === '$ENV' ? found : unknownText))
  return /r/i.test(prefix) ? inner : unescapeString(inner)
}

function unescapeString(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]{1,6}\}?|[0-7]{1,3}|\n|.)/g, (_, found: string) => {
    if (found[0] === 'x') return String.fromCharCode(Number.parseInt(found.slice(1), 16))
    if (found[0] === 'u' && found.length > 1)
      return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(found.replace(/[u{}]/g, ''), 16)))
    if (/^[0-7]/.test(found)) return String.fromCharCode(Number.parseInt(found, 8))
    return { n: '\n', t: '\t', r: '\r', '\n': '' }[found] ?? found
  })
}

const doubleQuoted = String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|$)`
const singleQuoted = String.raw`'(?:[^'\\]|\\[\s\S])*(?:'|$)`
const backtick = '`(?:[^`\\\\]|\\\\[\\s\\S])*(?:`|$)'
const hashComment = String.raw`(?<comment>(?<![$\\&])#[^\n]*)`
const slashComment = String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`
const plain = `(?<string>${doubleQuoted}|${singleQuoted})`

const patterns: Readonly<Record<Language, RegExp>> = {
  python: new RegExp(
    String.raw`${hashComment}|(?<prefix>\b[rbuf]{1,2})?(?<string>"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${doubleQuoted}|${singleQuoted})`,
    'gi',
  ),
  javascript: new RegExp(
    `(?<comment>(?<![:"'])//[^\\n]*|/\\*[\\s\\S]*?\\*/)|(?<string>${doubleQuoted}|${singleQuoted}|${backtick})`,
    'g',
  ),
  ruby: new RegExp(
    String.raw`${hashComment}|(?<string>${doubleQuoted}|${singleQuoted}|${backtick}|%[qQx]?[({[][^)}\]]*[)}\]])`,
    'g',
  ),
  perl: new RegExp(
    String.raw`${hashComment}|(?<string>${doubleQuoted}|${singleQuoted}|${backtick}|\bq[qx]?\s*[({[][^)}\]]*[)}\]])`,
    'g',
  ),
  php: new RegExp(`${slashComment}|(?<string>${doubleQuoted}|${singleQuoted}|${backtick})`, 'g'),
  lua: new RegExp(String.raw`(?<comment>--[^\n]*)|${plain}`, 'g'),
  awk: new RegExp(`${hashComment}|(?<string>${doubleQuoted})`, 'g'),
  applescript: new RegExp(`(?<comment>(?:^|\\n)--[^\\n]*)|(?<string>${doubleQuoted})`, 'g'),
  r: new RegExp(`${hashComment}|${plain}`, 'g'),
}
