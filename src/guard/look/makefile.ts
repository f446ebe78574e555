import type { Span } from '../shell/syntax-tree.ts'
import { type LookedFile, spanIn } from './looked-files.ts'

/** A line of a recipe, and where it stands. */
export interface RecipeLine {
  readonly text: string
  readonly span: Span
}

export interface MakeRule {
  readonly prerequisites: string[]
  readonly recipe: RecipeLine[]
}

/** A makefile, with those that it includes. */
export class Makefile {
  /** By target, as it is written: names may contain variables. */
  readonly rules = new Map<string, MakeRule>()
  readonly variables = new Map<string, string>()
  /** What `$(shell …)` runs while make reads the file. */
  readonly evaluated: RecipeLine[] = []
  readonly includes: string[] = []
}

/** Reads a makefile line by line. Of conditional parts, it reads all. */
export function readMakefile(file: LookedFile, { rules, variables, evaluated, includes }: Makefile): void {
  const lineAt = (text: string, from: number): RecipeLine => ({ text, span: spanIn(file, from, from + text.length) })
  let current: MakeRule[] = []
  let defined: { name: string; lines: string[] } | null = null
  for (const { text, from } of logicalLines(file.text)) {
    if (defined) {
      if (/^\s*endef\b/.test(text)) {
        variables.set(defined.name, defined.lines.join('\n'))
        defined = null
      } else defined.lines.push(text)
      continue
    }
    if (text.startsWith('\t')) {
      for (const { recipe } of current) recipe.push(lineAt(text.slice(1), from + 1))
      continue
    }
    const line = withoutComment(text).trim()
    if (line === '' || conditional.test(line)) continue
    const [, begun] = /^define\s+([\w.-]+)/.exec(line) ?? []
    if (begun !== undefined) {
      defined = { name: begun, lines: [] }
      continue
    }
    const [, included] = /^[-s]?include\s+(.*)$/.exec(line) ?? []
    if (included !== undefined) {
      includes.push(...included.split(/\s+/))
      continue
    }
    const assigned = assignment.exec(line)
    if (assigned) {
      assign(assigned, from)
      continue
    }
    current = startRule(line, from)
  }

  function assign([, name = '', operator = '', value = '']: readonly (string | undefined)[], from: number): void {
    const before = variables.get(name)
    if (operator === '!=') {
      evaluated.push(lineAt(value, from))
      variables.set(name, `$(shell ${value})`)
    } else if (operator === '+=' && before !== undefined) variables.set(name, `${before} ${value}`)
    else if (operator !== '?=' || before === undefined) variables.set(name, value)
    if (operator.startsWith(':') && value.includes('$(shell ')) evaluated.push(lineAt(`: ${value}`, from))
  }

  function startRule(line: string, from: number): MakeRule[] {
    const at = colonOf(line)
    if (at < 0) {
      // `$(info …)`, `$(shell rm -rf x)` as a line of its own.
      if (line.startsWith('$(shell ')) evaluated.push(lineAt(`: ${line}`, from))
      return []
    }
    const [before = '', inline] = splitOnce(line.slice(at + 1).replace(/^:/, ''), ';')
    // `target: NAME = value` sets a variable for one target.
    const own = assignment.exec(before.trim())
    if (own) {
      if (!variables.has(own[1] ?? '')) variables.set(own[1] ?? '', own[3] ?? '')
      return []
    }
    const targets = line.slice(0, at).trim().split(/\s+/)
    return targets.map(target => {
      const rule = rules.get(target) ?? { prerequisites: [], recipe: [] }
      rules.set(target, rule)
      for (const name of before.split(/[\s|]+/)) if (name !== '') rule.prerequisites.push(name)
      if (inline !== undefined) rule.recipe.push(lineAt(inline, from))
      return rule
    })
  }
}

const conditional = /^(ifeq|ifneq|ifdef|ifndef|else|endif|export|unexport|vpath|undefine)\b(?!.*[^!:=?+]=)/
const assignment = /^(?:(?:export|override|private)\s+)*([\w.-]+)\s*(=|:=|::=|:::=|\?=|\+=|!=)\s*(.*)$/s

/** Lines, with those that a backslash continues joined as they are written. */
function logicalLines(source: string): { text: string; from: number }[] {
  const lines: { text: string; from: number }[] = []
  let from = 0
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start)
    const stop = end < 0 ? source.length : end
    if (source[stop - 1] !== '\\' || end < 0) {
      lines.push({ text: source.slice(from, stop), from })
      from = stop + 1
    }
    start = stop + 1
  }
  return lines
}

function withoutComment(text: string): string {
  const joined = text.replaceAll('\\\n', ' ')
  const at = joined.search(/(?<!\\)#/)
  return at < 0 ? joined : joined.slice(0, at)
}

/** The colon after the targets; those in `$(a:b=c)` are not it. */
function colonOf(line: string): number {
  let depth = 0
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? ''
    if (char === '(' || char === '{') depth += 1
    else if (char === ')' || char === '}') depth -= 1
    else if (char === ':' && depth === 0) return i
  }
  return -1
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
