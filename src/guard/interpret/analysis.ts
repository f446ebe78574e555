import type { ReadGitState } from '../git-state.ts'
import type { LookedFile, LookedFiles } from '../look/looked-files.ts'
import type { ShellNode, Span } from '../shell/syntax-tree.ts'
import type { Finding, Segment } from '../verdict.ts'
import type { Argument } from './arguments.ts'
import type { Scope, VariableValue } from './scope.ts'
import type { Stream } from './streams.ts'
import type { VariableOrigins } from './variable-origins.ts'

/** What is known of the shell in which the command would run. */
export interface ShellContext {
  cwd: string
  workspace: string
  home: string
  env: Readonly<Record<string, string | undefined>>
  strict: boolean
  /** Null if nobody knows how git holds the files. */
  gitState: ReadGitState | null
}

/** A function or a script that is running. */
export interface RunningBody {
  name: string
  body: readonly ShellNode[]
}

/** The circumstances in which one program is started. */
export interface Frame {
  scope: Scope
  stdin: Stream
  /** Assignments before the program: `NAME=value`. */
  env: ReadonlyMap<string, VariableValue>
  span: Span
  via: readonly string[]
  depth: number
  /** Whether it runs as root, under sudo or similar. */
  root: boolean
  /** Whether another program runs it in passing: an option of tar, a pager, `system` of awk. */
  isEscape?: boolean
  /** Whether its output is shown, rather than stored or read by another program. */
  shown: boolean
  /** The functions and scripts on the call stack. */
  callStack: readonly RunningBody[]
}

/** The analysis of one command: its findings so far, and the functions that call each other recursively. */
export interface Analysis {
  context: ShellContext
  /** The command as it is written. */
  source: string
  variableOrigins: VariableOrigins
  /** Records a program or a redirect; what is reported until it ends is about it. */
  begin(step: Segment, isProgram: boolean): void
  /** Counts work, and throws `LimitExceeded` when it is too much. */
  countSteps(cost?: number): void
  /** Counts characters, since expanded values can be longer than the command. */
  countCharacters(characters: number): void
  report(finding: Finding): void
  /** Walks nodes in order and returns their output. */
  walk(nodes: readonly ShellNode[], scope: Scope, frame: Frame): Stream
  /** Analyzes a program; its name is the first argument. Returns its output. */
  runProgram(argv: readonly Argument[], frame: Frame): Stream
  /** Analyzes text that a shell would run. Returns its output. */
  runShellCode(source: string, span: Span, frame: Frame): Stream
  /** The files that the command runs; null if the caller lets none be opened. */
  files: LookedFiles | null
  /** Does the work that a file causes. It has limits of its own: where they are reached, the rest stays unknown. */
  lookInside(work: () => Stream): Stream
  /** Analyzes a whole file that a shell would run. Returns its output. */
  runShellFile(file: LookedFile, frame: Frame): Stream
}
