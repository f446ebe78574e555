import type { Span } from '../shell/syntax-tree.ts'
import { type LookedFile, spanIn } from './looked-files.ts'

export interface Recipe {
  readonly parameters: readonly Parameter[]
  readonly dependencies: readonly string[]
  readonly lines: { readonly text: string; readonly span: Span }[]
}

interface Parameter {
  readonly name: string
  /** Without a default it must be given. */
  readonly value: string | null
  /** It takes all the arguments that are left. */
  readonly isRest: boolean
}

export interface Justfile {
  readonly recipes: ReadonlyMap<string, Recipe>
  readonly aliases: ReadonlyMap<string, string>
  readonly variables: ReadonlyMap<string, string>
}

/** Reads a justfile line by line. */
export function readJustfile(file: LookedFile): Justfile {
  const recipes = new Map<string, Recipe>()
  const aliases = new Map<string, string>()
  const variables = new Map<string, string>()
  let current: Recipe | null = null
  let from = 0
  for (const line of file.text.split('\n')) {
    const span = spanIn(file, from, from + line.length)
    from += line.length + 1
    if (/^[ \t]+\S/.test(line)) {
      current?.lines.push({ text: line.trim(), span })
      continue
    }
    if (line.trim() === '' || /^[#[]/.test(line)) continue
    const [, alias, target] = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/.exec(line) ?? []
    const [, variable, value] = /^(?:export\s+)?([\w-]+)\s*:=\s*(.*)$/.exec(line) ?? []
    const [, name, rest = ''] = /^@?([\w-]+)(.*)$/.exec(line) ?? []
    if (alias !== undefined && target !== undefined) aliases.set(alias, target)
    else if (variable !== undefined) variables.set(variable, value ?? '')
    else if (name !== undefined && rest.includes(':')) {
      current = { ...headOf(rest), lines: [] }
      recipes.set(name, current)
    }
  }
  return { recipes, aliases, variables }
}

/** ` target='debug' *flags: build (deploy "x") && after` */
function headOf(text: string): Pick<Recipe, 'parameters' | 'dependencies'> {
  const at = colonOf(text)
  const words = text.slice(0, at).match(/[*+$]*[\w-]+(?:=(?:'[^']*'|"[^"]*"|\S+))?/g) ?? []
  return {
    parameters: words.map(word => {
      const equals = word.indexOf('=')
      const name = equals < 0 ? word : word.slice(0, equals)
      const value = equals < 0 ? null : word.slice(equals + 1)
      return { name: name.replace(/^[*+$]+/, ''), value, isRest: /^[*+]/.test(word) }
    }),
    dependencies: text.slice(at + 1).match(/[A-Za-z_][\w-]*/g) ?? [],
  }
}

/** The colon that ends the parameters, which may have colons in their defaults. */
function colonOf(text: string): number {
  let quote = ''
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === ':') return i
  }
  return text.length
}
