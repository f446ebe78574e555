import { unknownText } from '../interpret/arguments.ts'
import type { Skeleton } from './skeleton.ts'

/** Variables and the last text assigned to each, as far as it can be evaluated. */
export function variablesOf({ text, strings }: Skeleton): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(/(?:^|[\s;({])[$@]?(\w+)\s*=(?![=>~])\s*([^;\n]+)/g)) {
    variables.set(name, evaluate(value, { text, strings }, variables, ''))
    if (variables.size > 100) break
  }
  return variables
}

/**
 * The text of an expression: strings, names, their concatenation, a few functions on paths. A list is its elements, each
 * after \x01. Anything else is unknown text.
 */
export function evaluate(
  expression: string,
  skeleton: Skeleton,
  variables: ReadonlyMap<string, string>,
  home: string,
): string {
  const source = expression.trim().replace(/^(\w+)\s*[=:](?![=:])\s*/, '')
  if (source.length > 1_000) return unknownText
  const only = /^[rbuf]{0,2}«(\d+)»$/i.exec(source)
  if (only) return skeleton.strings[Number(only[1])] ?? unknownText
  if (/^[$@]?\w+$/.test(source))
    return (
      variables.get(source.replace(/^[$@]/, '')) ??
      (/^(0o?)?[0-7]{3,4}$/.test(source) ? source.replace(/^0o/, '0') : unknownText)
    )
  const list = /^[[(](.*)[\])]$/s.exec(source)
  if (list && (source.startsWith('[') || /,/.test(list[1] ?? ''))) {
    return splitOutsideBrackets(list[1] ?? '', ',')
      .filter(part => part.trim() !== '')
      .map(part => `\x01${evaluate(part, skeleton, variables, home)}`)
      .join('')
  }
  if (list) return evaluate(list[1] ?? '', skeleton, variables, home)
  const sum = splitOutsideBrackets(source, '+')
  if (sum.length > 1) return sum.map(part => evaluate(part, skeleton, variables, home)).join('')
  const path = splitOutsideBrackets(source, '/')
  if (path.length > 1) return path.map(part => evaluate(part, skeleton, variables, home)).join('/')
  if (homeFolder.test(source)) return home || unknownText
  const call = /^(?:[\w.:]+(?:\.|::|->))?(\w+)\s*\((.*)\)((?:\.\w+\([^()]*\))*)$/s.exec(source)
  if (call) return evaluateCall(call[1] ?? '', splitOutsideBrackets(call[2] ?? '', ','), skeleton, variables, home)
  return unknownText
}

const homeFolder =
  /^(os\.homedir\(\)|(pathlib\.)?Path\.home\(\)|process\.env\.HOME|process\.env\[«\d+»\]|os\.environ\[«\d+»\]|os\.getenv\(«\d+»\)|os\.environ\.get\(«\d+»\)|ENV\[«\d+»\]|Dir\.home|\$ENV\{HOME\}|getenv\(«\d+»\))$/

function evaluateCall(
  name: string,
  args: readonly string[],
  skeleton: Skeleton,
  variables: ReadonlyMap<string, string>,
  home: string,
): string {
  const values = args.map(arg => evaluate(arg, skeleton, variables, home))
  const [first = unknownText] = values
  switch (name) {
    case 'expanduser':
    case 'expand_path':
      return first.replace(/^~/, home)
    case 'join':
    case 'resolve':
      return values.reduce((path, part) => (part.startsWith('/') ? part : `${path}/${part}`))
    case 'Path':
    case 'PurePath':
    case 'abspath':
    case 'realpath':
    case 'str':
    case 'String':
    case 'normalize':
    case 'b64decode':
    case 'atob':
    case 'base64_decode':
    case 'decode64':
    case 'unhexlify':
    case 'fromhex':
    case 'from':
    case 'bytes':
    case 'decode':
    case 'compile':
      return first
    case 'split':
      return /«(\d+)»/.test(args[0] ?? '') && args.length === 1 ? first : unknownText
    default:
      return unknownText
  }
}

function splitOutsideBrackets(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
