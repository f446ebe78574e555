/** Where in the command a person sees it: [from, to) in UTF-16 units. Code inside a string has the span of that string. */
export type Span = readonly [from: number, to: number]

/** A parsed script. What the parser could not make sense of is in `errors`, and the rest is still there. */
export interface ShellScript {
  body: readonly ShellNode[]
  errors: readonly string[]
}

export type ShellNode =
  | SimpleCommand
  | { kind: 'pipeline'; stages: readonly ShellNode[]; span: Span }
  /** One after the other: `;`, `&&`, `||`, `&`, braces. What may not run at all is in a `choice`. */
  | { kind: 'list'; items: readonly ShellNode[]; span: Span }
  | { kind: 'subshell'; body: readonly ShellNode[]; span: Span }
  /** if, case: the conditions, then bodies of which some run. */
  | {
      kind: 'choice'
      conditions: readonly ShellNode[]
      words: readonly Word[]
      branches: readonly ShellNode[]
      span: Span
    }
  /** for and select have a variable; while and until do not. */
  | { kind: 'loop'; variable: string | null; words: readonly Word[]; body: readonly ShellNode[]; span: Span }
  | { kind: 'function'; name: string; body: readonly ShellNode[]; span: Span }
  | { kind: 'redirected'; body: ShellNode; redirects: readonly Redirect[]; span: Span }
  /** [[ … ]] and (( … )): run nothing but the substitutions in their words. */
  | { kind: 'test'; words: readonly Word[]; span: Span }

export interface SimpleCommand {
  kind: 'simple'
  assignments: readonly Assignment[]
  words: readonly (Word | Assignment)[]
  redirects: readonly Redirect[]
  span: Span
}

export interface Assignment {
  kind: 'assignment'
  name: string
  value: Word | readonly Word[]
  append: boolean
  indexed: boolean
  span: Span
}

export type Redirect =
  | { kind: 'file'; operator: string; descriptor: number | null; target: Word | null; span: Span }
  | { kind: 'text'; body: Word; descriptor: number | null; span: Span }

export interface Word {
  kind: 'word'
  parts: readonly Part[]
  span: Span
}

export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'glob'; text: string }
  | { kind: 'tilde'; user: string }
  | Parameter
  /** $( … ) and backticks */
  | { kind: 'output'; script: ShellScript; quoted: boolean }
  /** <( … ) and >( … ) */
  | { kind: 'process'; direction: '<' | '>'; script: ShellScript }
  /** $(( … )): a number that is not known, and the substitutions inside */
  | { kind: 'number'; text: string; words: readonly Word[] }
  /** {a,b} and {1..9}: every alternative is a word of its own */
  | { kind: 'braces'; alternatives: readonly Word[] }

export interface Parameter {
  kind: 'parameter'
  name: string
  quoted: boolean
  /** ${!name} takes its value for another name; ${#name} is a number. */
  prefix: '!' | '#' | null
  index: string | null
  operation: Operation | null
}

/** The operator as it is written, and its operands: `:-` default, `#` `%` remove, `/` replace, `:` slice, `^` `,` case. */
export interface Operation {
  operator: string
  operands: readonly Word[]
}
