import type { Exit, Stream } from './frames.ts'
import type { WindowSize } from './spec.ts'

/** An agent as its holder has it, by pipes or by a terminal. */
export interface Agent {
  pid: number | null
  /** Reads no more of its output: it waits when the pipe is full. */
  pause(): void
  resume(): void
  /** Done when all of it is where the agent reads. */
  write(bytes: Buffer, done: (error?: Error | null) => void): void
  endInput(): void
  resize(size: WindowSize): void
}

export interface AgentListener {
  onOutput(stream: Stream, bytes: Buffer): void
  /** After the last of its output. */
  onExit(exit: Exit): void
}
