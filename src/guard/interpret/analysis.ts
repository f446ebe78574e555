import type { ShellNode, Span } from '../shell/syntax-tree.ts'
import type { Finding, Segment } from '../verdict.ts'
import type { Argument } from './arguments.ts'
import type { Scope, VariableValue } from './scope.ts'
import type { Stream } from './streams.ts'

/** What is known of the place where the command would run. */
export interface ShellContext {
  cwd: string
  workspace: string
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** How one program comes to be started. */
export interface Frame {
  scope: Scope
  stdin: Stream
  /** NAME=value in front of it. */
  env: ReadonlyMap<string, VariableValue>
  span: Span
  via: readonly string[]
  depth: number
  /** Under sudo or the like. */
  root: boolean
  /** What it writes is seen: it is neither kept, nor taken by another program. */
  shown: boolean
  /** The bodies of the functions that are being called. */
  calling: readonly (readonly ShellNode[])[]
}

/** One reading of one command: what it has found so far, and the verbs that call each other. */
export interface Analysis {
  context: ShellContext
  findings: Finding[]
  segments: Segment[]
  /** Counts work, and ends the reading where it is too much. */
  countSteps(cost?: number): void
  /** Counts characters, of which values can make more than the command has. */
  countCharacters(characters: number): void
  report(finding: Finding): void
  /** Nodes one after the other; gives what they write. */
  walk(nodes: readonly ShellNode[], scope: Scope, frame: Frame): Stream
  /** Starts a program, with its name as the first argument. */
  runProgram(argv: readonly Argument[], frame: Frame): Stream
  /** Text that a shell would run. */
  runShellCode(source: string, span: Span, frame: Frame): Stream
}
