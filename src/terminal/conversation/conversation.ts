import type { InputBoxOptions, InputDraft } from './input-box.ts'
import type { ConversationView } from './view.ts'

export interface ConversationOptions extends InputBoxOptions {
  /** Esc or Ctrl-C while the agent works. */
  onInterrupt(): void
  /** The terminal is gone. Only a terminal in raw mode tells that apart from Ctrl-D. */
  onClosed(): void
  /** Ctrl-O. */
  onShow(): void
  /** Waits until no prompt uses the terminal, and pauses while something else does. */
  useTerminal(use: () => Promise<void>): Promise<void>
  /** Stores what is in the box and in the queue. */
  saveDraft(draft: InputDraft): void
}

export interface Message {
  readonly text: string
  /** As it is on the screen: a long paste by its length. */
  readonly shown?: string
}

/** What the person wrote, or that they want to leave. Null if the signal aborted. */
export type Entered = Message | 'leave' | null

/** A conversation with an agent: drawn in frames, or in plain lines for screen readers and dumb terminals. */
export interface Conversation {
  readonly isPlain: boolean
  readonly view: ConversationView
  /** Begins with what was not sent last time. */
  start(draft: InputDraft): void
  /** The next message, once there is one. Between two calls, Enter queues. */
  next(input: { hint: string; signal: AbortSignal }): Promise<Entered>
  /** The queued messages that the agent can read now, in the middle of its turn. */
  takeQueued(): Message[]
  /** Queued messages are not sent before the person presses Enter. */
  hold(): void
  /** Adds text to the box, as if it had been typed. */
  insert(text: string): void
  /** More completions are known now. */
  suggest(): void
  /**
   * Gives the terminal to something else, such as a prompt. Everything new is shown after `resume`. `gap` leaves an empty
   * line above what the other one prints.
   */
  pause(leaving?: { gap?: boolean }): void
  resume(): void
  close(): void
}
