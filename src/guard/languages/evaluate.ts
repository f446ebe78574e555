import { unknownText } from '../interpret/arguments.ts'
import { freshFolder } from '../interpret/fresh-folder.ts'
import { closingBracket, splitOutsideBrackets } from './brackets.ts'
import { callFunction } from './functions.ts'
import { joinOperators, type Language } from './language.ts'
import { callMethod } from './methods.ts'
import type { Skeleton } from './skeleton.ts'

const longestExpression = 1_000
const deepestExpression = 12

/**
 * Evaluates expressions as far as they are known before the code runs: strings, names, their concatenation, and common
 * functions on strings, lists and paths. A list is its elements, each after \x01. Anything else is unknown text.
 */
export class Evaluator {
  readonly language: Language
  readonly skeleton: Skeleton
  readonly home: string
  /** Variables and the last text assigned to each. */
  readonly variables = new Map<string, string>()
  #depth = 0

  constructor(language: Language, skeleton: Skeleton, home: string) {
    this.language = language
    this.skeleton = skeleton
    this.home = home
  }

  evaluate(expression: string): string {
    // `name=value` and `name: value` are named arguments.
    const source = expression.trim().replace(/^(\w+)\s*[=:](?![=:\w])\s*/, '')
    if (source === '' || source.length > longestExpression || this.#depth >= deepestExpression) return unknownText
    this.#depth += 1
    const value = this.#operators(source)
    this.#depth -= 1
    return value
  }

  /** The text of a string literal. */
  string(index: number): string {
    const template = this.skeleton.templates.get(index)
    if (template === undefined) return this.skeleton.strings[index] ?? unknownText
    // biome-ignore lint/suspicious/noControlCharactersInRegex: computed parts are marked so.
    return template.replace(/\x02([^\x03]*)\x03/g, (_, part: string) => this.#computedPart(part))
  }

  #computedPart(part: string): string {
    if (mentionsHome.test(part)) return this.home
    const quoted = /^#\{\s*["']([^"'\\]*)["']\s*\}$/.exec(part)
    const name = /^[#$@{(]*\$?(\w+)[})]*$/.exec(part)?.[1] ?? ''
    return quoted?.[1] ?? this.variables.get(name) ?? unknownText
  }

  #operators(source: string): string {
    const characters = /^chr\(\s*\w+\s*\)\s+for\s+\w+\s+in\s+(.*)$/s.exec(source)
    if (characters) return callFunction('map', [], ['chr', characters[1] ?? ''], this.home)
    if (this.language === 'perl' && /^\\&(?:CORE::)?\w+$/.test(source)) return source.slice(2)
    if (/^(?:«\d+»\s*)+$/.test(source))
      return source.replace(/\s*«(\d+)»\s*/g, (_, n: string) => this.string(Number(n)))
    const operator = joinOperators[this.language]
    const sum = operator === undefined ? [] : splitOutsideBrackets(source, operator)
    if (sum.length > 1 && (this.language !== 'perl' || !/^[\w$>-]+(?:::\w+)*\s*\(/.test(source)))
      return sum.map(part => this.evaluate(part)).join('')
    if (this.language === 'awk') {
      if (/\|&?\s*getline\b/.test(source)) return this.evaluate(source.replace(/\s*\|&?\s*getline\b.*$/s, ''))
      const words = source.match(/«\d+»|\$?\w+(?:\[[^\]]*\])?/g) ?? []
      if (words.length > 1 && /^(?:«\d+»|\$?\w+(?:\[[^\]]*\])?|\s)+$/.test(source))
        return words.map(word => this.evaluate(word)).join('')
    }
    if (this.language === 'python') {
      const path = splitOutsideBrackets(source, '/')
      if (path.length > 1) return path.map(part => this.evaluate(part)).join('/')
      const format = splitOutsideBrackets(source, '%')
      if (format.length === 2) return filled(this.evaluate(format[0] ?? ''), this.#words(format[1] ?? ''))
    }
    return this.#postfix(source)
  }

  /** A string, a name or a bracket, followed by calls, members and indexes. */
  #postfix(source: string): string {
    let at = 0
    let name = ''
    let value: string | null = null
    const text = /^[&:]?«(\d+)»/.exec(source)
    const named =
      /^(?:(?:new|await|my|our|const|let|try)\s+)?[$@%&:\\*]*[A-Za-z_][\w.!?$]*(?:(?:::|->|:|\/)[\w.!?]+)*/.exec(source)
    if (text) {
      value = this.string(Number(text[1]))
      at = text[0].length
    } else if (/^(?:\[\]\w*)?[([{]/.test(source)) {
      at = source.search(/[([{](?!\])/)
      if (at < 0) return '\x01'
      const end = closingBracket(source, at)
      value = this.#bracket(source.slice(at + 1, end), source[at] ?? '')
      at = end + 1
    } else if (named) {
      name = named[0].replace(/^(?:(?:new|await|my|our|const|let|try)\s+)?[$@%&:\\*]*/, '')
      at = named[0].length
    } else return /^(?:-?\d{1,9}|0o[0-7]{3,4})$/.test(source) ? source.replace(/^0o/, '0') : unknownText
    while (at < source.length) {
      const char = source[at] ?? ''
      if (/\s/.test(char)) {
        at += 1
        continue
      }
      if ('([{'.includes(char)) {
        const end = closingBracket(source, at)
        const inner = source.slice(at + 1, end)
        if (value === null) value = char === '(' ? this.#call(name, inner) : this.#index(name, inner, char)
        else if (char === '[') value = indexed(value, inner)
        at = end + 1
        name = ''
        continue
      }
      const member = /^(?:\??\.|::|->|:)\s*([\w!?]+)\s*/.exec(source.slice(at, at + 80))
      if (member && value !== null) {
        at += member[0].length
        let args = ''
        if (source[at] === '(') {
          const end = closingBracket(source, at)
          args = source.slice(at + 1, end)
          at = end + 1
        }
        value = callMethod(value, member[1] ?? '', this.#arguments(args))
        if (/^expand/.test(member[1] ?? '')) value = value.replace(/^~(?=\/|$)/, this.home)
        continue
      }
      // A call without brackets, as in Perl and Ruby: `glob "x"`.
      if (value === null && /^[«$([]/.test(char)) return this.#call(name, source.slice(at))
      // A unary test or an ending: `x!`, `x?`
      if (/[!?]/.test(char)) {
        at += 1
        continue
      }
      return unknownText
    }
    return value ?? this.#variable(name)
  }

  #variable(name: string): string {
    const known = this.variables.get(name) ?? itself[name]
    if (known !== undefined) return known
    if (name === 'Dir.mktmpdir') return freshFolder
    if (/(?:^|[.:])(?:HOME|USERPROFILE|Dir\.home|home|homedir)$/.test(name) && /HOME|Dir\.home|USERPROFILE/.test(name))
      return this.home
    // Members without brackets, as in Ruby: `path.to_s`.
    const dot = name.indexOf('.')
    const owner = dot > 0 ? this.variables.get(name.slice(0, dot)) : undefined
    return owner === undefined
      ? unknownText
      : name
          .slice(dot + 1)
          .split('.')
          .reduce((value, method) => callMethod(value, method, []), owner)
  }

  #call(name: string, inner: string): string {
    const dot = name.lastIndexOf('.')
    const owner = dot > 0 ? this.variables.get(name.slice(0, dot)) : undefined
    const args = this.#arguments(inner)
    if (this.#makesTemporary(name)) return freshFolder
    if (owner !== undefined) return callMethod(owner, name.slice(dot + 1), args)
    const isHome =
      /(?:^|[.:_/])(?:homedir|home_dir|gethomedir|home|user_home!?|userhomedir|nshomedirectory)$/i.test(name) &&
      inner.trim() === ''
    if (isHome) return this.home
    if (/^(?:HOME|USERPROFILE|user\.home)$/.test(args[0] ?? '') && environment.test(name)) return this.home
    if (args.length === 2 && /(?:getenv|environ\.get|env\.get|ENV\.fetch)$/.test(name)) return args[1] ?? unknownText
    return callFunction(name, args, splitOutsideBrackets(inner, ','), this.home)
  }

  /** A file or folder that is new. Elsewhere, `tempdir()` is the folder for all of them. */
  #makesTemporary(name: string): boolean {
    return (
      makesTemporary.test(name) || (/^(?:File::Temp::)?tempdir$/.test(name) && ['perl', 'r'].includes(this.language))
    )
  }

  /** `ENV["HOME"]`, `$ENV{HOME}`, `Dir["*.log"]`, `new String[]{"a", "b"}`. */
  #index(name: string, inner: string, bracket: string): string {
    const key = /^\w+$/.test(inner.trim()) ? inner.trim() : this.evaluate(inner)
    if (/(?:^|[._])(?:environ|env|SERVER|ENVIRON)$/i.test(name))
      return /^(?:HOME|USERPROFILE)$/.test(key) ? this.home : unknownText
    if (name === 'Dir') return key
    if (bracket === '{') return this.#bracket(inner, '[')
    return indexed(this.#variable(name), inner)
  }

  #bracket(inner: string, bracket: string): string {
    const parts = splitOutsideBrackets(inner, ',').filter(part => part.trim() !== '')
    if (bracket === '(' && parts.length === 1) return this.evaluate(inner)
    // Of an object, only the command counts: `{ args: ["-rf"], cwd: "/x" }`.
    if (bracket === '{' && /^\s*[\w«»]+\s*:/.test(inner)) {
      const command = parts
        .filter(part => /^\s*(?:args|cmd|command)\s*:/.test(part))
        .map(part => asList(this.evaluate(part)))
        .join('')
      return command || '\x01'
    }
    return parts.map(part => asList(this.evaluate(part))).join('') || '\x01'
  }

  #arguments(inner: string): string[] {
    return inner.trim() === '' ? [] : splitOutsideBrackets(inner, ',').map(part => this.evaluate(part))
  }

  #words(source: string): string[] {
    const value = this.evaluate(source)
    return value.startsWith('\x01') ? value.slice(1).split('\x01') : [value]
  }
}

function asList(value: string): string {
  return value.startsWith('\x01') ? value : `\x01${value}`
}

/** `"litush"[::-1]`, `list[0]`. */
function indexed(value: string, index: string): string {
  if (/^\s*::?-1\s*$/.test(index) || /^\s*::-1\s*$/.test(index)) return [...value].reverse().join('')
  if (!value.startsWith('\x01')) return unknownText
  return value.slice(1).split('\x01')[Number(index)] ?? unknownText
}

/** `"%s/x" % home` */
function filled(format: string, values: readonly string[]): string {
  let next = 0
  return format.replace(/%[sdrc]/g, () => values[next++] ?? unknownText)
}

const makesTemporary =
  /(?:^|[.:>])(?:mkdtemp(?:Sync)?|mktmpdir|mktempdir|mkstemp|mktemp|tempnam|tempfile|TemporaryDirectory|NamedTemporaryFile|createTempDirectory|createTempFile|createTempDir|MkdirTemp|makeTempDir(?:Sync)?|makeTempFile(?:Sync)?)$/

/** The program that runs the code. */
const itself: Readonly<Record<string, string>> = {
  'sys.executable': 'python3',
  'process.execPath': 'node',
  'process.argv0': 'node',
  'Gem.ruby': 'ruby',
  'RbConfig.ruby': 'ruby',
  PHP_BINARY: 'php',
}

const environment =
  /(?:getenv|getProperty|env|environ|get|var|fetch|Getenv|GetEnvironmentVariable|get_env|fetch_env!?)$/
const mentionsHome =
  /\bHOME\b|\bhomedir\b|\bPath\.home\b|\bDir\.home\b|user_home|UserHomeDir|user\.home|expanduser\(\s*['"]~['"]/
