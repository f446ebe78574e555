import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import type { Safe } from './environment.ts'
import type { Stream } from './holder/frames.ts'
import type { WindowSize } from './holder/spec.ts'

/** Where runs are supervised: what they share, and who is told. */
export interface Place {
  hub: HubApi
  /** Where the folders of runs lie. */
  home: string
  /** The program of the holder. */
  holder: string
  /** Our own commands, which a stop lets run on. */
  commands: readonly string[]
  safe: Safe
  /** Whether others read the hub elsewhere, so that it is to be sent what runs print. */
  ships: boolean
  /** Whether the hub is spoken to over HTTP, with a token. */
  overHttp: boolean
  /** What an agent is started with when the one of its first start was not kept. */
  env: NodeJS.ProcessEnv
}

/** What a supervisor tells about one run, and to whom it listens. */
export interface Audience {
  /** The agent's output, as it comes; it waits while this does. */
  onOutput(stream: Stream, bytes: Buffer): Promise<void> | void
  onStarted?(run: Run, keyboard: Keyboard): void
  /** Shows an open request to whoever is there; until the signal. */
  announce(request: Request, settled: AbortSignal): void
  say(text: string): void
  /** We are told to end the run. */
  signal: AbortSignal
  /** We are told so again: without waiting for it to clean up. */
  hurry?: AbortSignal
  /** We are told to let go of it, as it is. */
  leave: AbortSignal
}

/** What a person types goes to the agent through this. */
export interface Keyboard {
  type(bytes: Uint8Array): void
  end(): void
  resize(size: WindowSize): void
}

/** How the supervision of a run came to its end. */
export type Ending =
  | { how: 'ended'; code: number }
  /** Its process has ended, and it comes back when nothing is open any more; with what it is to be told besides. */
  | { how: 'waits'; refused: readonly string[] }
  /** `ready`: nothing is open any more, it is to be woken at once. */
  | { how: 'asleep'; ready: boolean }
  | { how: 'left' }
