import type { Span } from '../shell/syntax-tree.ts'

/** Stands for a part of a value that is known only at run time. A real argument never contains NUL. */
export const unknownText = '\0'

/**
 * Where a value came from, as bits; data-flows.ts checks them. `beckon` is the address of Beckon's database or server,
 * `beckonKey` its sealing key. `machine` tells of this machine or its data: who works here, a dump, a file in another encoding. The bits
 * above are the secret variables of the command (variable-origins.ts).
 */
export const origins = { network: 1, secret: 2, beckon: 4, beckonKey: 8, machine: 16 } as const

/** One argument as the program receives it. */
export interface Argument {
  /** Quotes, escapes and known variables are resolved; unknown parts are `unknownText`. */
  value: string
  /** It has an unquoted `*`, `?` or `[…]` and stands for any number of names. */
  glob: boolean
  quoted: boolean
  from: number
  span: Span
}

/** One expanded part of a word: text, which is split at blanks if unquoted, or a list of separate fields. */
export interface ExpandedPart {
  text: string
  quoted: boolean
  glob: boolean
  from: number
  list?: readonly Argument[]
}

export function literal(value: string, span: Span): Argument {
  return { value, glob: false, quoted: true, from: 0, span }
}

export function isKnown({ value }: Argument): boolean {
  return !value.includes(unknownText)
}

/** Whether nothing of it is known. */
export function isDynamic({ value }: Argument): boolean {
  return value.startsWith(unknownText) && /^\0+$/.test(value)
}

/** Whether a file name means stdin. */
export function isStdin({ value }: Argument): boolean {
  return value === '-' || /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/.test(value)
}

export function texts(args: readonly Argument[]): string[] {
  return args.map(({ value }) => value)
}
