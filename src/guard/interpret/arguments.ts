import type { Span } from '../shell/syntax-tree.ts'

/** Stands in a value for what only running it would tell. A real argument never has a NUL in it. */
export const hole = '\0'

/** Where a value came from, as bits: what flows are made of. */
export const origins = { network: 1, secret: 2 } as const

/** One argument as the program would get it. */
export interface Arg {
  /** Quotes, escapes and known variables are resolved; what is not known is a `hole`. */
  value: string
  /** It has a live `*`, `?` or `[…]`: it stands for any number of names. */
  glob: boolean
  quoted: boolean
  from: number
  span: Span
}

/** What a part gives: text that unquoted splits at blanks, or a list of fields of its own. */
export interface Piece {
  text: string
  quoted: boolean
  glob: boolean
  from: number
  list?: readonly Arg[]
}

/** What a program reads or writes, as far as it is known. */
export interface Stream {
  /** The text, with holes in it; null where nothing is known of it. */
  text: string | null
  from: number
  /** Where every line is a path: what they look like, as a glob (`./src/*.log`). */
  names: string | null
  /** The name of the file that it lies in, unseen. */
  file?: string
}

export const empty: Stream = { text: '', from: 0, names: null }
export const unknown: Stream = { text: null, from: 0, names: null }

export function streamOf(text: string, from = 0): Stream {
  return { text, from, names: null }
}

export function literal(value: string, span: Span): Arg {
  return { value, glob: false, quoted: true, from: 0, span }
}

export function isKnown({ value }: Arg): boolean {
  return !value.includes(hole)
}

/** Nothing of it is known. */
export function isDynamic({ value }: Arg): boolean {
  return value.startsWith(hole) && /^\0+$/.test(value)
}

/** A name that means what is piped in. */
export function isStdin({ value }: Arg): boolean {
  return value === '-' || /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/.test(value)
}

export function texts(args: readonly Arg[]): string[] {
  return args.map(({ value }) => value)
}
