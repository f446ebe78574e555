import type { ShellNode } from '../shell/syntax-tree.ts'
import { type Argument, unknownText } from './arguments.ts'
import { LayeredMap } from './layered-map.ts'
import { emptyStream, type Stream } from './streams.ts'

export interface VariableValue {
  text: string
  from: number
  glob: boolean
  /** The elements of an array. */
  list: readonly Argument[] | null
  /** The text is the name of another variable: `declare -n`. */
  isReference?: boolean
  /** Whatever is assigned to it is arithmetic: `declare -i`. */
  isInteger?: boolean
}

const mostVariables = 256

/** The state of a shell: directory, variables, functions, and the files that this command wrote. */
export class Scope {
  /** Null if it is unknown. */
  cwd: string | null
  stdin: Stream = emptyStream
  positional: readonly Argument[] | null = null
  /** $0 */
  scriptName: Argument | null = null
  readonly variables: LayeredMap<VariableValue>
  readonly functions: LayeredMap<readonly ShellNode[]>
  readonly aliases: LayeredMap<string>
  files: Map<string, Stream>
  /** What this command made, as `container:web` (see made-here.ts). */
  readonly made: Set<string>
  /** Folders that this command filled from the network. */
  readonly fetchedFolders: string[]
  oldCwd: string | null = null
  /** On another machine or in a container, where paths differ from the ones here. */
  isRemote = false
  /** Where the unknown parts of the code come from, if another command wrote it: `sh -c "curl $TOKEN"`. */
  unknownFrom = 0

  constructor(cwd: string | null, from?: Scope) {
    this.cwd = cwd
    this.variables = from?.variables.copy() ?? new LayeredMap()
    this.functions = from?.functions.copy() ?? new LayeredMap()
    this.aliases = from?.aliases.copy() ?? new LayeredMap()
    // Subshells share the files.
    this.files = from?.files ?? new Map()
    this.made = from?.made ?? new Set()
    this.fetchedFolders = from?.fetchedFolders ?? []
    if (!from) return
    this.stdin = from.stdin
    this.positional = from.positional
    this.scriptName = from.scriptName
    this.oldCwd = from.oldCwd
    this.isRemote = from.isRemote
    this.unknownFrom = from.unknownFrom
  }

  /** For a subshell, which sees everything but changes nothing outside. */
  copy(): Scope {
    return new Scope(this.cwd, this)
  }

  set(name: string, value: VariableValue): void {
    if (this.variables.size < mostVariables || this.variables.has(name)) this.variables.set(name, value)
  }

  /** A variable that this command did not set is known to be gone from now on. */
  unset(name: string): void {
    if (this.variables.has(name)) this.variables.delete(name)
    else this.set(name, { text: '', from: 0, glob: false, list: null })
  }

  /** After branches of which only some run: anything they disagree on becomes unknown. */
  mergeBranches(branches: readonly Scope[]): void {
    for (const branch of branches) {
      for (const [name, value] of branch.variables.changes()) {
        const here = this.variables.get(name)
        if (here?.text === value.text && here.list === value.list) continue
        this.set(name, { text: unknownText, from: value.from | (here?.from ?? 0), glob: false, list: null })
      }
      for (const [name, body] of branch.functions.changes()) this.functions.set(name, body)
      if (branch.cwd !== this.cwd) this.cwd = null
    }
  }
}
