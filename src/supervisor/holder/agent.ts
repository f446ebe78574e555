import type { Exit, Stream } from './frames.ts'
import type { InputWait } from './input-wait.ts'
import type { WindowSize } from './spec.ts'

/** An agent as its holder controls it, on pipes or on a pseudo-terminal. */
export interface Agent {
  pid: number | null
  /** Stops reading its output: the agent waits when the pipe is full. */
  pause(): void
  resume(): void
  /** Calls `done` when all bytes are in the agent's stdin. */
  write(bytes: Buffer, done: (error?: Error | null) => void): void
  endInput(): void
  /** Whether it waits for input right now. */
  inputWait(): InputWait
  /** Reads what it has printed so far; `all` is false where it is paused and something may be left. */
  readOutput(done: (all: boolean) => void): void
  resize(size: WindowSize): void
}

export interface AgentListener {
  onOutput(stream: Stream, bytes: Buffer): void
  /** Called after the last of its output. */
  onExit(exit: Exit): void
}
