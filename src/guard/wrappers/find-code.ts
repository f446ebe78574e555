import { type Argument, literal } from '../interpret/arguments.ts'
import type { ProgramCall } from '../program-call.ts'

/** Finds the shell code in a call. */
export type Finder = (call: ProgramCall) => readonly Argument[]

/**
 * The values of these options anywhere in the arguments, without a grammar: `-e x`, `-ave x`, `-e'a b'`, `--rsh=x`, and
 * abbreviations such as `--checkpoint-act=x`.
 */
export function valuesOf({ args }: ProgramCall, ...names: readonly string[]): Argument[] {
  return args.flatMap((arg, i) => {
    const before = args[i - 1]?.value ?? ''
    if (before.startsWith('-') && names.some(name => isOption(before, name))) return [arg]
    const { value } = arg
    if (!value.startsWith('-')) return []
    const at = value.indexOf('=')
    if (at > 0 && names.some(name => name.length > 2 && isOption(value.slice(0, at), name)))
      return [{ ...arg, value: value.slice(at + 1) }]
    const glued = names.find(name => name.length === 2 && value.startsWith(name) && /[\s=/]/.test(value.slice(2)))
    return glued === undefined ? [] : [{ ...arg, value: value.slice(2) }]
  })
}

function isOption(given: string, name: string): boolean {
  if (given === name) return true
  if (name.startsWith('--')) return given.length > 6 && name.startsWith(given)
  return (
    name.length === 2 &&
    given.length > 2 &&
    given.length < 7 &&
    /^-[A-Za-z]+$/.test(given) &&
    given.endsWith(name[1] ?? '')
  )
}

/** The lines that the program reads on stdin, as far as they are known. */
export function stdinLines({ stdin, frame }: ProgramCall): Argument[] {
  return stdin.text ? stdin.text.split('\n').map(line => literal(line, frame.span)) : []
}

/** The first group of the pattern that holds something. */
export function captured(arg: Argument, pattern: RegExp): Argument[] {
  const found = pattern
    .exec(arg.value)
    ?.slice(1)
    .find(group => group !== undefined)
  return found === undefined ? [] : [{ ...arg, value: found }]
}

/** Text as one word of shell code. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
