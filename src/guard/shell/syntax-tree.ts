/** A range of the command as a person sees it: [from, to) in UTF-16 units. Code in a string has the string's span. */
export type Span = readonly [from: number, to: number]

/** A parsed script. `errors` describes what the parser did not understand; `body` has the rest. */
export interface ShellScript {
  body: readonly ShellNode[]
  errors: readonly string[]
}

/** `background`: the shell goes on without waiting for it. */
export type ShellNode = AnyNode & { background?: true }

type AnyNode =
  | SimpleCommand
  | { kind: 'pipeline'; stages: readonly ShellNode[]; span: Span }
  /** Commands in sequence: `;`, `&&`, `||`, `&`, braces. Commands that may not run are in a `choice`. */
  | {
      kind: 'list'
      items: readonly ShellNode[]
      /** With `&&` and `||`, only the first one is sure to run. */
      conditional?: true
      span: Span
    }
  | { kind: 'subshell'; body: readonly ShellNode[]; span: Span }
  /** if and case: the conditions run, then some of the branches. */
  | {
      kind: 'choice'
      conditions: readonly ShellNode[]
      words: readonly Word[]
      branches: readonly ShellNode[]
      span: Span
    }
  /** for and select have a variable, while and until do not. An endless one has a condition that always holds. */
  | {
      kind: 'loop'
      variable: string | null
      words: readonly Word[]
      body: readonly ShellNode[]
      endless?: true
      span: Span
    }
  | { kind: 'function'; name: string; body: readonly ShellNode[]; span: Span }
  | { kind: 'redirected'; body: ShellNode; redirects: readonly Redirect[]; span: Span }
  /** [[ … ]] and (( … )): only the substitutions in their words run, and what arithmetic finds in variables. */
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
  /** The subscript of `a[3]=x`. */
  index: Word | null
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
  /** $(( … )): an unknown number, and the substitutions inside */
  | { kind: 'number'; text: string; words: readonly Word[] }
  /** Arithmetic: a word whose text, once expanded, is evaluated again, and may run `$( … )` in a subscript. */
  | { kind: 'evaluated'; word: Word }
  /** {a,b} and {1..9}: every alternative becomes a separate word */
  | { kind: 'braces'; alternatives: readonly Word[] }

export interface Parameter {
  kind: 'parameter'
  name: string
  quoted: boolean
  /** ${!name} uses the variable's value as another name; ${#name} is its length. */
  prefix: '!' | '#' | null
  index: string | null
  operation: Operation | null
}

/** The operator as written, and its operands: `:-` default, `#` `%` remove, `/` replace, `:` slice, `^` `,` case. */
export interface Operation {
  operator: string
  operands: readonly Word[]
}
