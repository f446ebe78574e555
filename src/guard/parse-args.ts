import type { Argument } from './interpret/arguments.ts'

/** How a program reads its arguments. By default options are flags: `-abc` is `-a -b -c`, and only `--x=y` has a value. */
export interface Grammar {
  /** Options that take the next argument as their value. */
  values?: readonly string[]
  /** Options that take a value only before the first operand: `git -c a=b log -c`. */
  before?: readonly string[]
  /** Full names of long options, for programs that accept unambiguous abbreviations. */
  long?: readonly string[]
  /** Options are whole words after one dash: `-auto-approve`. */
  words?: boolean
  /** Options end at the first operand; the rest belongs to another program. */
  posix?: boolean
  /** By subcommand: the number of the operand at which options end (`docker run IMAGE …`). */
  ends?: Readonly<Record<string, number>>
  /** By subcommand (one or two words): options that take a value only there. */
  sub?: Readonly<Record<string, readonly string[]>>
  /** Options may be written as on Windows: `/S /Q`. */
  slashes?: boolean
  /** Case does not matter (`-Recurse`, `-recurse`): names are given in lower case. */
  caseless?: boolean
}

/** Joins two grammars that each describe part of the same program. */
export function joinGrammars(one: Grammar, other: Grammar): Grammar {
  const subs = [...Object.entries(one.sub ?? {}), ...Object.entries(other.sub ?? {})]
  const sub: Record<string, readonly string[]> = {}
  for (const [name, options] of subs) sub[name] = [...(sub[name] ?? []), ...options]
  return {
    ...one,
    ...other,
    values: [...(one.values ?? []), ...(other.values ?? [])],
    ...(one.before || other.before ? { before: [...(one.before ?? []), ...(other.before ?? [])] } : {}),
    ...(one.long || other.long ? { long: [...new Set([...(one.long ?? []), ...(other.long ?? [])])] } : {}),
    ...(one.ends || other.ends ? { ends: { ...one.ends, ...other.ends } } : {}),
    ...(subs.length > 0 ? { sub } : {}),
  }
}

export interface Option {
  name: string
  value: Argument | null
  arg: Argument
}

export interface ParsedArgs {
  options: readonly Option[]
  operands: readonly Argument[]
  /** The index of every operand among the arguments. */
  positions: readonly number[]
}

/** Splits arguments into options, their values and operands. */
export function parseArgs(args: readonly Argument[], grammar: Grammar): ParsedArgs {
  const options: Option[] = []
  const operands: Argument[] = []
  const positions: number[] = []
  let values = grammar.before ? [...(grammar.values ?? []), ...grammar.before] : (grammar.values ?? [])
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]
    if (!arg) break
    const { value } = arg
    if (value === '--') {
      for (let k = i + 1; k < args.length; k += 1) addOperand(args[k], k)
      break
    }
    if (value.startsWith('--')) long(arg)
    else if (value.startsWith('-') && value.length > 1) short(arg)
    else if (grammar.slashes && /^\/[A-Za-z?][^/]*$/.test(value))
      options.push({ name: value.toLowerCase(), value: null, arg })
    else if (value.startsWith('+') && grammar.words) options.push({ name: value, value: null, arg })
    else {
      addOperand(arg, i)
      if (operands.length === 1 && (grammar.sub || grammar.before)) {
        values = [...(grammar.values ?? []), ...(grammar.sub?.[value] ?? [])]
      } else if (operands.length === 2 && grammar.sub) {
        const own = grammar.sub[`${operands[0]?.value} ${value}`]
        if (own) values = [...(grammar.values ?? []), ...own]
      }
      if (!grammar.posix && !endsHere()) continue
      for (let k = i + 1; k < args.length; k += 1) addOperand(args[k], k)
      break
    }

    function long(arg: Argument) {
      const at = value.indexOf('=')
      const name = fullName(at < 0 ? value : value.slice(0, at), grammar)
      if (at >= 0) options.push({ name, value: withValue(arg, value.slice(at + 1)), arg })
      else options.push({ name, value: values.includes(name) ? next() : null, arg })
    }

    function short(arg: Argument) {
      if (grammar.words) {
        const at = value.indexOf('=')
        const given = at < 0 ? value : value.slice(0, at)
        const name = grammar.caseless ? given.toLowerCase() : given
        options.push({
          name,
          value: at < 0 ? (values.includes(name) ? next() : null) : withValue(arg, value.slice(at + 1)),
          arg,
        })
        return
      }
      for (let k = 1; k < value.length; k += 1) {
        const name = `-${value[k]}`
        if (!values.includes(name)) {
          options.push({ name, value: null, arg })
          continue
        }
        const rest = value.slice(k + 1)
        options.push({ name, value: rest === '' ? next() : withValue(arg, rest.replace(/^=/, '')), arg })
        return
      }
    }

    function next(): Argument | null {
      i += 1
      return args[i] ?? null
    }
  }
  return { options, operands, positions }

  function endsHere(): boolean {
    const { ends } = grammar
    if (!ends) return false
    const first = operands[0]?.value ?? ''
    const second = operands[1]?.value ?? ''
    return [first, `${first} ${second}`].some(sub => Object.hasOwn(ends, sub) && ends[sub] === operands.length)
  }

  function addOperand(arg: Argument | undefined, position: number) {
    if (!arg) return
    operands.push(arg)
    positions.push(position)
  }
}

/** `--recur` is `--recursive` if no other option starts with it. */
function fullName(name: string, { long }: Grammar): string {
  if (!long || long.includes(name)) return name
  const candidates = long.filter(full => full.startsWith(name))
  return candidates.length === 1 && candidates[0] ? candidates[0] : name
}

function withValue(arg: Argument, value: string): Argument {
  return { ...arg, value }
}
