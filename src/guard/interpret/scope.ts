import type { ShellNode } from '../shell/syntax-tree.ts'
import { type Arg, empty, hole, type Stream } from './arguments.ts'

export interface Value {
  text: string
  from: number
  glob: boolean
  /** The elements of an array. */
  list: readonly Arg[] | null
}

const most = 256

/** What a shell knows at one moment: directory, variables, functions, and the files that this very command wrote. */
export class Scope {
  /** null: somewhere that is not known. */
  cwd: string | null
  stdin: Stream = empty
  positional: readonly Arg[] | null = null
  /** $0 */
  zero: Arg | null = null
  variables: Map<string, Value>
  functions: Map<string, readonly ShellNode[]>
  aliases: Map<string, string>
  files: Map<string, Stream>
  oldCwd: string | null = null
  /** On another machine or in a container: the paths there are not the ones here. */
  elsewhere = false

  constructor(cwd: string | null, from?: Scope) {
    this.cwd = cwd
    this.variables = new Map(from?.variables)
    this.functions = new Map(from?.functions)
    this.aliases = new Map(from?.aliases)
    // Files are the same for everybody, subshells too.
    this.files = from?.files ?? new Map()
    if (!from) return
    this.stdin = from.stdin
    this.positional = from.positional
    this.zero = from.zero
    this.oldCwd = from.oldCwd
    this.elsewhere = from.elsewhere
  }

  /** For a subshell: it sees everything, and changes nothing out here. */
  copy(): Scope {
    return new Scope(this.cwd, this)
  }

  set(name: string, value: Value): void {
    if (this.variables.size < most || this.variables.has(name)) this.variables.set(name, value)
  }

  /** After branches of which only some run: what they do not agree on is not known any more. */
  join(branches: readonly Scope[]): void {
    for (const branch of branches) {
      for (const [name, value] of branch.variables) {
        const here = this.variables.get(name)
        if (here?.text === value.text && here.list === value.list) continue
        this.set(name, { text: hole, from: value.from | (here?.from ?? 0), glob: false, list: null })
      }
      for (const [name, body] of branch.functions) this.functions.set(name, body)
      if (branch.cwd !== this.cwd) this.cwd = null
    }
  }
}
