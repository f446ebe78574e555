import type { Parameter, Word } from '../shell/syntax-tree.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, type ExpandedPart, origins, unknownText } from './arguments.ts'
import { evaluateArithmetic, runPrompt } from './evaluated-text.ts'
import { replaceCounted } from './replace-counted.ts'
import type { Scope, VariableValue } from './scope.ts'
import { inheritedValue } from './well-known-variables.ts'

type Expand = (word: Word) => Argument

/** Expands `$name` or `${name…}`, as far as assignments in this command and the environment tell. */
export function expandParameter(
  part: Parameter,
  analysis: Analysis,
  scope: Scope,
  frame: Frame,
  expand: Expand,
): ExpandedPart {
  const { quoted, name, index, operation } = part
  if (part.prefix === '#') return { text: unknownText, quoted: true, glob: false, from: 0 }
  // Every operand may run something, even if its value is not used.
  const operands = operation?.operands.map(expand) ?? []
  const evaluate = (text: string) => evaluateArithmetic({ text, span: frame.span }, analysis, scope, frame)
  if (index !== null && /[A-Za-z_]/.test(index)) evaluate(index)
  if (operation?.operator === ':') for (const operand of operands) evaluate(operand.value)
  const target = part.prefix === '!' ? indirect(name, analysis, scope) : name
  if (target.includes('[')) evaluate(target)
  const value = lookUp(target, index, analysis, scope)
  const piece = (text: string, glob = false): ExpandedPart => ({ text, quoted, glob, from: value?.from ?? 0 })

  if (!operation) {
    if (!value) return piece(unknownText)
    if (value.list && (index === '@' || index === '*' || name === '@' || name === '*')) {
      return { ...piece(''), list: value.list, ...(value.list.length === 0 ? { quoted: false } : {}) }
    }
    return piece(value.list ? (value.list[0]?.value ?? '') : value.text, value.glob)
  }
  const [first, second] = operands
  const text = value?.list ? (value.list[0]?.value ?? '') : value?.text
  switch (operation.operator) {
    case '@':
      if (first?.value === 'P' && text !== undefined) runPrompt({ text, span: frame.span }, analysis, frame)
      return piece(first?.value === 'Q' && text !== undefined ? `'${text.replaceAll("'", `'\\''`)}'` : unknownText)
    case '-':
    case ':-':
    case '=':
    case ':=': {
      const isSet = text !== undefined && text !== unknownText && (text !== '' || !operation.operator.startsWith(':'))
      const used = isSet ? text : (first?.value ?? '')
      if (!isSet && operation.operator.endsWith('=')) scope.set(name, plainValue(used, first?.from ?? 0))
      return { ...piece(used), from: (value?.from ?? 0) | (first?.from ?? 0) }
    }
    case '+':
    case ':+':
      return { ...piece(text === undefined || text === '' ? '' : (first?.value ?? '')), from: first?.from ?? 0 }
    case '?':
    case ':?':
      return piece(text ?? unknownText)
    default:
      if (
        text === undefined ||
        text.includes(unknownText) ||
        operands.some(operand => operand.value.includes(unknownText))
      ) {
        return piece(unknownText)
      }
      return piece(applyOperation(text, operation.operator, first, second, analysis))
  }
}

function applyOperation(
  text: string,
  operator: string,
  first: Argument | undefined,
  second: Argument | undefined,
  analysis: Analysis,
): string {
  analysis.countCharacters(text.length)
  switch (operator) {
    case ':': {
      const offset = Number(first?.value.trim())
      const length = second === undefined ? undefined : Number(second.value.trim())
      if (!Number.isInteger(offset) || (length !== undefined && !Number.isInteger(length))) return unknownText
      const start = offset < 0 ? Math.max(0, text.length + offset) : offset
      return text.slice(start, length === undefined ? undefined : length < 0 ? text.length + length : start + length)
    }
    case '#':
    case '##':
      return first && !first.glob && text.startsWith(first.value)
        ? text.slice(first.value.length)
        : first?.glob
          ? unknownText
          : text
    case '%':
    case '%%':
      return first && !first.glob && text.endsWith(first.value)
        ? text.slice(0, text.length - first.value.length)
        : first?.glob
          ? unknownText
          : text
    case '/':
      return first?.glob ? unknownText : text.replace(first?.value ?? '', () => second?.value ?? '')
    case '//':
      return first?.glob || !first?.value
        ? unknownText
        : replaceCounted(text, first.value, second?.value ?? '', analysis)
    case '^^':
      return first?.value ? unknownText : text.toUpperCase()
    case '^':
      return first?.value ? unknownText : text.charAt(0).toUpperCase() + text.slice(1)
    case ',,':
      return first?.value ? unknownText : text.toLowerCase()
    case ',':
      return first?.value ? unknownText : text.charAt(0).toLowerCase() + text.slice(1)
    default:
      return unknownText
  }
}

function indirect(name: string, analysis: Analysis, scope: Scope): string {
  return lookUp(name, null, analysis, scope)?.text ?? unknownText
}

/** The name that a reference (`declare -n r=x`) stands for. */
function referredName(name: string, scope: Scope): string {
  let found = name
  for (let round = 0; round < 4; round += 1) {
    const value = scope.variables.get(found)
    if (!value?.isReference) return found
    found = value.text
  }
  return found
}

function lookUp(name: string, index: string | null, analysis: Analysis, scope: Scope): VariableValue | null {
  const assigned = scope.variables.get(referredName(name, scope))
  if (assigned) {
    const element = index !== null && assigned.list && /^\d+$/.test(index) ? assigned.list[Number(index)] : null
    if (element) return { ...plainValue(element.value, element.from), glob: element.glob }
    if (assigned.text === unknownText)
      return { ...assigned, from: assigned.from | analysis.variableOrigins.bitOf(name) }
    return index !== null && index !== '@' && index !== '*' && index !== '0'
      ? plainValue(unknownText, assigned.from)
      : assigned
  }
  if (name === '@' || name === '*') return scope.positional ? { ...plainValue('', 0), list: scope.positional } : null
  if (/^\d+$/.test(name)) {
    if (name === '0')
      return scope.scriptName ? plainValue(scope.scriptName.value, scope.scriptName.from) : plainValue('sh', 0)
    const arg = scope.positional?.[Number(name) - 1]
    return arg ? { ...plainValue(arg.value, arg.from), glob: arg.glob } : scope.positional ? plainValue('', 0) : null
  }
  const given = inheritedValue(name, analysis, scope)
  const from = originOf(name) | analysis.variableOrigins.bitOf(name)
  return given === undefined ? (from === 0 ? null : plainValue(unknownText, from)) : plainValue(given, from)
}

function originOf(name: string): number {
  if (name === 'BECKON_DB' || name === 'BECKON_URL') return origins.beckon
  return name === 'BECKON_KEY' ? origins.secret | origins.beckonKey : 0
}

function plainValue(text: string, from: number): VariableValue {
  return { text, from, glob: false, list: null }
}
