import type { AgentLoop } from '../../../agent/loop.ts'
import type { AgentRun } from '../../../agent/run.ts'
import type { HubApi } from '../../../protocol/hub.ts'
import type { ConversationView } from '../../../terminal/conversation/view.ts'

/** A line of the conversation that starts with a slash. */
export interface SlashCommand {
  /** With its slash. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** One line for the help and the palette. */
  readonly summary: string
  /** The key that does the same. */
  readonly key?: { readonly name: string; readonly isPlainToo: boolean }
  /** What may follow the name. */
  readonly usage?: string
  /** `rest` is the text after the name. */
  run(context: SlashContext, rest: string): Promise<'leave' | undefined>
}

/** The conversation as its commands see it; `loop` and `run` change when a new one starts. */
export interface SlashContext {
  readonly view: ConversationView
  /** Whether it is in plain lines, where the terminal itself edits the input. */
  readonly isPlain: boolean
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly hub: HubApi
  /** Whether a person is at this terminal, and not another agent. */
  readonly isPersonHere: boolean
  readonly loop: AgentLoop
  readonly run: Pick<AgentRun, 'id'>
  /** Shows the whole output of the last tool call. */
  showOutput(): void
  /** An empty text continues an unfinished turn. */
  takeTurn(text: string): Promise<void>
  /** Shows what is going on until it ends. Esc stops it, as it stops a turn. */
  runStoppable<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** The text of the next input, for the person to change and send. */
  offer(text: string): void
  /** The index of the row that the person picks; null if they pick none. */
  pick(title: string, rows: readonly string[]): Promise<number | null>
  /** Closes this conversation and opens a new one. */
  startOver(): Promise<void>
}
