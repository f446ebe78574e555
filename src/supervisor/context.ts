import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import type { FileSealer } from './file-sealer.ts'
import type { Stream } from './holder/frames.ts'
import type { WindowSize } from './holder/spec.ts'

/** What all runs supervised by this process share. */
export interface SupervisorContext {
  hub: HubApi
  /** The folder that holds the run folders. */
  home: string
  /** The program of the holder. */
  holder: string
  /** Our own commands, which keep running while a run is stopped. */
  ownPrograms: readonly string[]
  sealer: FileSealer
  /** Whether people read the hub on other machines, so that logs are sent to it. */
  shipsLogs: boolean
  /** Whether the hub is reached over HTTP, with a token. */
  overHttp: boolean
  /** The environment for an agent whose first one was not saved. */
  env: NodeJS.ProcessEnv
}

/** Where one run's output and messages go, and where a person's commands to it come from. */
export interface RunFrontend {
  /** The agent's output as it comes; the agent waits until this resolves. */
  onOutput(stream: Stream, bytes: Buffer): Promise<void> | void
  onStarted?(run: Run, input: AgentInput): void
  /** The agent has not waited for what a person typed for a while. From now on, an empty line sends it. */
  onHeld?(): void
  /** What a person typed and the agent did not read before it ended. */
  onUnread?(typed: Buffer): void
  /** Shows an open request until the signal aborts. */
  announce(request: Request, settled: AbortSignal): void
  print(text: string): void
  /** Ends the run. */
  stop: AbortSignal
  /** Ends the run without giving it time to clean up. */
  kill?: AbortSignal
  /** Leaves the run as it is. */
  leave: AbortSignal
}

/**
 * Passes what a person types on to the agent, once the agent waits for it; while it asks, nothing but the reply reaches
 * its stdin.
 */
export interface AgentInput {
  type(bytes: Uint8Array): void
  /** The same for what comes from a pipe or a file. */
  pipe(bytes: Uint8Array): void
  end(): void
  /** Passes on keys that interrupt the agent, also when it does not wait for input. */
  press(keys: Uint8Array): void
  /** What was typed and has not reached the agent; it does not reach it any more. */
  takeBack(): Promise<Buffer>
  resize(size: WindowSize): void
}

/** Why the supervision of a run ended. */
export type Ending =
  /** `withdrawn`: the requests that it left open, and that nobody can answer any more. */
  | { how: 'ended'; code: number; withdrawn?: readonly string[] }
  /** Its process ended, and the run starts again once no request is open. */
  | { how: 'waits' }
  /** `ready`: no request is open any more, so it can be woken at once. */
  | { how: 'asleep'; ready: boolean }
  | { how: 'left' }
