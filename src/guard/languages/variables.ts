import { unknownText } from '../interpret/arguments.ts'
import { allMatches } from './all-matches.ts'
import { receiverBefore } from './brackets.ts'
import type { Evaluator } from './evaluate.ts'

const mostVariables = 100
const longestValue = 500

/**
 * Learns the variables of a piece of code, in the order in which they stand there. The variable of a loop over the files of
 * a folder is every file in it: `folder/*`.
 */
export function readVariables(text: string, evaluator: Evaluator): void {
  const { variables } = evaluator
  variables.clear()
  // Most one-liners bind nothing, and this is quick to see.
  if (!mayBind.test(text)) return
  let count = 0
  for (const { index, 0: found, groups = {} } of allMatches(text, bindings, mostVariables + 1)) {
    count += 1
    if (count > mostVariables) return
    const end = index + found.length
    if (groups.name !== undefined) variables.set(groups.name, evaluator.evaluate(expressionAt(text, end, /[;\n]/)))
    else if (groups.items !== undefined) bind(groups.items, expressionAt(text, end, /[:;\n{]/))
    else if (groups.item !== undefined) bind(groups.item, receiverBefore(text, index))
    else if (groups.maker !== undefined) variables.set(groups.made ?? '', evaluator.evaluate(groups.maker))
    else if (groups.opened !== undefined) variables.set(groups.openedAs ?? '', evaluator.evaluate(groups.opened))
    else if (groups.phpOf !== undefined) bind(groups.phpItem ?? '', groups.phpOf)
  }

  function bind(names: string, source: string): void {
    const value = elementOf(evaluator.evaluate(source))
    for (const name of names.match(/\w+/g) ?? [])
      if (!/^(?:const|let|var|my|auto|final)$/.test(name)) variables.set(name, value)
  }
}

const mayBind = /=|<-|\bfor|each|\.map|mktmpdir|\bwith\b/i
const bindings = new RegExp(
  [
    // name = value, name := value, name <- value; `f(a, b=c)` sets no a, but `a, b = c` does
    String.raw`(?<=^|[\s;({,])[$@%]?(?<name>\w{1,60})(?:(?<=(?:^|[;\n{])\s{0,40}\w{1,60})\s*,\s*\w{1,60})?\s*(?::=|<-|=(?![=>~]))\s*`,
    // for a, b in …; for (const a of …); for my $a (…)
    String.raw`\bfor(?:each)?\s*\(?\s*(?<items>(?:(?:const|let|var|my|auto|final|String|Path|File)\s+)?[$(]?\w{1,60}(?:\s*,\s*\w{1,60}){0,3}\)?)\s*(?:\bin\b|\bof\b|:=\s*range|:(?!:)|(?=\())\s*`,
    // .each { |a| …; .forEach(a => …; .forEach(a -> …
    String.raw`\.(?:each|each_with_index|map|forEach|for_each|eachFile|eachFileRecurse)\s*(?:\(\s*(?:async\s+)?(?:function\s*)?\(?|do\s*\||\{\s*\|?|\(\|)\s*(?<item>\w{1,60})(?=\s*(?:[|,)]|[=-]>|\.))`,
    // Dir.mktmpdir { |a| …
    String.raw`\b(?<maker>Dir\.mktmpdir)(?:\([^()\n]{0,80}\))?\s*(?:do|\{)\s*\|\s*(?<made>\w{1,60})`,
    // with … as a
    String.raw`\bwith\s+(?<opened>[^;\n:]{1,200}?)\s+as\s+(?<openedAs>\w{1,60})`,
    // foreach (… as $a)
    String.raw`\bforeach\s*\(\s*(?<phpOf>[^;{}]{1,300}?)\s+as\s+(?:\$\w+\s*=>\s*)?\$(?<phpItem>\w{1,60})`,
  ].join('|'),
  'g',
)

/** The expression at this place, up to the end of its line, its bracket or what else ends it. */
function expressionAt(text: string, from: number, ends: RegExp): string {
  let depth = 0
  const last = Math.min(text.length, from + longestValue)
  const rest = text.slice(from, last)
  for (let i = 0; i < rest.length; i += 1) {
    const char = rest[i] ?? ''
    if (depth === 0 && i > 0 && ends.test(char)) return rest.slice(0, i)
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) {
      depth -= 1
      if (depth < 0) return rest.slice(0, i)
    } else if (depth === 0 && char === ' ' && /^ (?:if|do|for)\b/.test(rest.slice(i, i + 5))) return rest.slice(0, i)
  }
  return rest
}

/** One of the files in a folder, or any of the elements of a list. */
function elementOf(value: string): string {
  if (value === unknownText || value.startsWith('\x01') || /[*?]/.test(value)) return value
  return value.includes('/') || value.startsWith('~') ? `${value.replace(/\/$/, '')}/*` : value
}
