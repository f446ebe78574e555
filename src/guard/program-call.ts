import { type GitState, gitStateOf } from './git-state.ts'
import type { Frame, ShellContext } from './interpret/analysis.ts'
import { type Argument, isDynamic, unknownText } from './interpret/arguments.ts'
import type { Stream } from './interpret/streams.ts'
import { type Grammar, type ParsedArgs, parseArgs } from './parse-args.ts'
import { isRemade, type PathClass, type ResolvedPath, resolvePath } from './paths.ts'

const noGrammar: Grammar = {}

/** One program with its arguments, as it would really be started. Rules query it. */
export class ProgramCall {
  /** The bare name: `/usr/bin/git` and `git.exe` are `git`. */
  readonly program: string
  /** Everything after the name. */
  readonly args: readonly Argument[]
  readonly frame: Frame
  readonly context: ShellContext
  readonly #grammar: Grammar
  #parsed: ParsedArgs | null = null
  #paths: Map<Argument, ResolvedPath> | null = null
  #gitStates: Map<Argument, GitState> | null = null

  constructor(
    program: string,
    args: readonly Argument[],
    frame: Frame,
    context: ShellContext,
    grammar: Grammar = noGrammar,
  ) {
    this.program = program
    this.args = args
    this.frame = frame
    this.context = context
    this.#grammar = grammar
  }

  /** The same call with other arguments. */
  withArgs(args: readonly Argument[]): ProgramCall {
    return new ProgramCall(this.program, args, this.frame, this.context, this.#grammar)
  }

  get parsed(): ParsedArgs {
    this.#parsed ??= parseArgs(this.args, this.#grammar)
    return this.#parsed
  }

  /** Arguments that are neither options nor their values; subcommands come first. */
  get operands(): readonly Argument[] {
    return this.parsed.operands
  }

  get stdin(): Stream {
    return this.frame.stdin
  }

  /** Null if it is unknown. */
  get cwd(): string | null {
    return this.frame.scope.cwd
  }

  /** Whether it is run for the names that another program finds in a folder and below. */
  get walksTree(): boolean {
    return this.frame.via.some(via => /^(find -|fd -|xargs$)/.test(via))
  }

  /** Whether any of these options is given. */
  has(...names: readonly string[]): boolean {
    return this.hasOneOf(names)
  }

  /** The same for a list. Plain loops here and below: every rule asks, and a command has few options. */
  hasOneOf(names: readonly string[]): boolean {
    for (const { name } of this.parsed.options) if (names.includes(name)) return true
    return false
  }

  /** The value of the last of these options; null if none is given. */
  value(...names: readonly string[]): Argument | null {
    let last: Argument | null = null
    for (const { name, value } of this.parsed.options) if (value !== null && names.includes(name)) last = value
    return last
  }

  /** The values of all of these options. */
  values(...names: readonly string[]): Argument[] {
    const found: Argument[] = []
    for (const { name, value } of this.parsed.options) if (value !== null && names.includes(name)) found.push(value)
    return found
  }

  /** Whether the first operands are these words: `call.isSub('stash drop')`. */
  isSub(words: string): boolean {
    // Most calls fail at the first word, and there are hundreds of rules.
    const [first] = this.operands
    if (!first || !words.startsWith(first.value)) return false
    return words.split(' ').every((word, i) => this.operands[i]?.value === word)
  }

  /** The operands after a subcommand of this many words. */
  after(words: number): readonly Argument[] {
    return this.operands.slice(words)
  }

  /** A variable of its environment: assigned before the program, set earlier, or inherited. */
  env(name: string): string | null {
    return (
      this.frame.env.get(name)?.text ?? this.frame.scope.variables.get(name)?.text ?? this.context.env[name] ?? null
    )
  }

  /** Cached, because many rules ask for the same path. */
  path(arg: Argument): ResolvedPath {
    this.#paths ??= new Map()
    const known = this.#paths.get(arg)
    if (known) return known
    const context = this.frame.scope.isRemote ? { ...this.context, workspace: unknownText } : this.context
    const path = resolvePath(arg, context, this.cwd)
    this.#paths.set(arg, path)
    return path
  }

  pathClass(arg: Argument): PathClass {
    return this.path(arg).class
  }

  /** How git holds what the argument names; null if that is unknown here, or it is not an ordinary path of the workspace. */
  gitState(arg: Argument): GitState | null {
    const { gitState } = this.context
    const { class: kind, path, name } = this.path(arg)
    if (gitState === null || this.frame.scope.isRemote) return null
    if (kind !== 'workspace' || path === null || isRemade(name)) return null
    this.#gitStates ??= new Map()
    const known = this.#gitStates.get(arg)
    if (known !== undefined) return known
    const state = gitStateOf(gitState, path, { glob: arg.glob, anyDepth: this.walksTree })
    this.#gitStates.set(arg, state)
    return state
  }

  /** Whether nothing of it is known before it runs. */
  isDynamic(arg: Argument): boolean {
    return isDynamic(arg)
  }
}
