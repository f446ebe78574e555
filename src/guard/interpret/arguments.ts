import type { Span } from '../shell/syntax-tree.ts'

/** Stands in a value for what only running it would tell. A real argument never has a NUL in it. */
export const unknownText = '\0'

/** Where a value came from, as bits: what flows are made of. */
export const origins = { network: 1, secret: 2 } as const

/** One argument as the program would get it. */
export interface Argument {
  /** Quotes, escapes and known variables are resolved; what is not known is a `hole`. */
  value: string
  /** It has a live `*`, `?` or `[…]`: it stands for any number of names. */
  glob: boolean
  quoted: boolean
  from: number
  span: Span
}

/** What a part gives: text that unquoted splits at blanks, or a list of fields of its own. */
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

/** Nothing of it is known. */
export function isDynamic({ value }: Argument): boolean {
  return value.startsWith(unknownText) && /^\0+$/.test(value)
}

/** A name that means what is piped in. */
export function isStdin({ value }: Argument): boolean {
  return value === '-' || /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/.test(value)
}

export function texts(args: readonly Argument[]): string[] {
  return args.map(({ value }) => value)
}
