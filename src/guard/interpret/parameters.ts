import type { Parameter, Word } from '../shell/syntax-tree.ts'
import type { Reading } from './analysis.ts'
import { type Arg, hole, type Piece } from './arguments.ts'
import type { Scope, Value } from './scope.ts'

type Expand = (word: Word) => Arg

/** What `$name` or `${name…}` is, as far as assignments in this command and the environment tell. */
export function expandParameter(part: Parameter, reading: Reading, scope: Scope, expand: Expand): Piece {
  const { quoted, name, index, operation } = part
  if (part.prefix === '#') return { text: hole, quoted: true, glob: false, from: 0 }
  // In every word of an operation something may run, whether its value is used or not.
  const operands = operation?.operands.map(expand) ?? []
  const value = lookUp(part.prefix === '!' ? indirect(name, reading, scope) : name, index, reading, scope)
  const piece = (text: string, glob = false): Piece => ({ text, quoted, glob, from: value?.from ?? 0 })

  if (!operation) {
    if (!value) return piece(hole)
    if (value.list && (index === '@' || index === '*' || name === '@' || name === '*')) {
      return { ...piece(''), list: value.list, ...(value.list.length === 0 ? { quoted: false } : {}) }
    }
    return piece(value.list ? (value.list[0]?.value ?? '') : value.text, value.glob)
  }
  const [first, second] = operands
  const text = value?.list ? (value.list[0]?.value ?? '') : value?.text
  switch (operation.operator) {
    case '-':
    case ':-':
    case '=':
    case ':=': {
      const isSet = text !== undefined && text !== hole && (text !== '' || !operation.operator.startsWith(':'))
      const used = isSet ? text : (first?.value ?? '')
      if (!isSet && operation.operator.endsWith('=')) scope.set(name, plain(used, first?.from ?? 0))
      return { ...piece(used), from: (value?.from ?? 0) | (first?.from ?? 0) }
    }
    case '+':
    case ':+':
      return { ...piece(text === undefined || text === '' ? '' : (first?.value ?? '')), from: first?.from ?? 0 }
    case '?':
    case ':?':
      return piece(text ?? hole)
    default:
      if (text === undefined || text.includes(hole) || operands.some(operand => operand.value.includes(hole))) {
        return piece(hole)
      }
      return piece(operate(text, operation.operator, first, second))
  }
}

function operate(text: string, operator: string, first: Arg | undefined, second: Arg | undefined): string {
  switch (operator) {
    case ':': {
      const offset = Number(first?.value.trim())
      const length = second === undefined ? undefined : Number(second.value.trim())
      if (!Number.isInteger(offset) || (length !== undefined && !Number.isInteger(length))) return hole
      const start = offset < 0 ? Math.max(0, text.length + offset) : offset
      return text.slice(start, length === undefined ? undefined : length < 0 ? text.length + length : start + length)
    }
    case '#':
    case '##':
      return first && !first.glob && text.startsWith(first.value)
        ? text.slice(first.value.length)
        : first?.glob
          ? hole
          : text
    case '%':
    case '%%':
      return first && !first.glob && text.endsWith(first.value)
        ? text.slice(0, text.length - first.value.length)
        : first?.glob
          ? hole
          : text
    case '/':
      return first?.glob ? hole : text.replace(first?.value ?? '', () => second?.value ?? '')
    case '//':
      return first?.glob || !first?.value ? hole : text.replaceAll(first.value, () => second?.value ?? '')
    case '^^':
      return first?.value ? hole : text.toUpperCase()
    case '^':
      return first?.value ? hole : text.charAt(0).toUpperCase() + text.slice(1)
    case ',,':
      return first?.value ? hole : text.toLowerCase()
    case ',':
      return first?.value ? hole : text.charAt(0).toLowerCase() + text.slice(1)
    default:
      return hole
  }
}

function indirect(name: string, reading: Reading, scope: Scope): string {
  return lookUp(name, null, reading, scope)?.text ?? hole
}

function lookUp(name: string, index: string | null, reading: Reading, scope: Scope): Value | null {
  const assigned = scope.variables.get(name)
  if (assigned) {
    const element = index !== null && assigned.list && /^\d+$/.test(index) ? assigned.list[Number(index)] : null
    if (element) return { ...plain(element.value, element.from), glob: element.glob }
    return index !== null && index !== '@' && index !== '*' && index !== '0' ? plain(hole, assigned.from) : assigned
  }
  if (name === '@' || name === '*') return scope.positional ? { ...plain('', 0), list: scope.positional } : null
  if (/^\d+$/.test(name)) {
    if (name === '0') return scope.zero ? plain(scope.zero.value, scope.zero.from) : plain('sh', 0)
    const arg = scope.positional?.[Number(name) - 1]
    return arg ? { ...plain(arg.value, arg.from), glob: arg.glob } : scope.positional ? plain('', 0) : null
  }
  const given =
    wellKnown(name, reading, scope) ?? (scope.elsewhere ? undefined : harmlessValue(name, reading.place.env[name]))
  return given === undefined ? null : plain(given, 0)
}

/** Only what is a path or a plain word: segments are shown and stored, and a token must not be in them. */
function harmlessValue(name: string, value: string | undefined): string | undefined {
  if (value === undefined || secretName.test(name)) return undefined
  return value === '' || /^(\/|~|\.{1,2}\/)[^\s:@]*$|^[a-z][a-z_.-]{0,20}$/.test(value) ? value : undefined
}

const secretName = /key|token|secret|pass|cred|auth|private|session|cookie|dsn|url/i

function wellKnown(name: string, reading: Reading, scope: Scope): string | undefined {
  switch (name) {
    case 'HOME':
    case 'USERPROFILE':
      return reading.place.home
    case 'PWD':
      return scope.cwd ?? hole
    case 'OLDPWD':
      return scope.oldCwd ?? hole
    case 'IFS':
      return ' '
    case 'TMPDIR':
    case 'RUNNER_TEMP':
      return '/tmp/tmpdir'
    case 'GITHUB_WORKSPACE':
    case 'CI_PROJECT_DIR':
      return reading.place.workspace
    case 'SHELL':
    case 'BASH':
      return '/bin/bash'
    case 'EDITOR':
    case 'VISUAL':
    case 'GIT_EDITOR':
      return 'vi'
    case 'PAGER':
    case 'GIT_PAGER':
    case 'MANPAGER':
      return 'less'
    case 'PYTHON':
      return 'python3'
    case 'PIP':
      return 'pip'
    case 'NODE':
    case 'NPM':
    case 'NPX':
    case 'GO':
    case 'CARGO':
    case 'MAKE':
    case 'CMAKE':
    case 'DOCKER':
    case 'KUBECTL':
    case 'GIT':
    case 'SUDO':
    case 'CC':
    case 'BROWSER':
      return name.toLowerCase()
    case 'CXX':
      return 'c++'
    case '$':
    case 'RANDOM':
    case 'UID':
    case '!':
      return hole
    default:
      return undefined
  }
}

function plain(text: string, from: number): Value {
  return { text, from, glob: false, list: null }
}
