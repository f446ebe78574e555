import type { ShellNode, Span } from '../shell/syntax-tree.ts'
import type { Finding, Segment } from '../verdict.ts'
import type { Arg, Stream } from './arguments.ts'
import type { Scope, Value } from './scope.ts'

/** What is known of the place where the command would run. */
export interface Place {
  cwd: string
  workspace: string
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** Limits are counts, never clocks: the same command gets the same verdict on a busy machine. */
export const limits = {
  /** Characters of a command that are looked at. */
  size: 100_000,
  /** Steps of one reading: nodes walked, programs started, words expanded. */
  steps: 60_000,
  /** Code in strings in code: sh -c "sh -c …". */
  depth: 8,
  /** Wrappers around one program. */
  wrappers: 24,
  /** Characters of all values together. */
  text: 4_000_000,
} as const

/** How one program comes to be started. */
export interface Frame {
  scope: Scope
  stdin: Stream
  /** NAME=value in front of it. */
  env: ReadonlyMap<string, Value>
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
export interface Reading {
  place: Place
  findings: Finding[]
  segments: Segment[]
  /** Counts work, and ends the reading where it is too much. */
  step(cost?: number): void
  /** Counts characters, of which values can make more than the command has. */
  grow(characters: number): void
  report(finding: Finding): void
  /** Nodes one after the other; gives what they write. */
  walk(nodes: readonly ShellNode[], scope: Scope, frame: Frame): Stream
  /** Starts a program, with its name as the first argument. */
  run(argv: readonly Arg[], frame: Frame): Stream
  /** Text that a shell would run. */
  code(source: string, span: Span, frame: Frame): Stream
}

/** Thrown by `step` and caught in `classify` alone: the command is asked about. */
export class TooMuch extends Error {}
