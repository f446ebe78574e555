import type { AttachmentInput } from '../protocol/attachment.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Surroundings } from '../tool-calls/plan-call.ts'
import type { Asker } from './asker.ts'
import type { Repeats } from './repeats.ts'

/** One call of a tool, and what it may use. */
export interface Call {
  readonly hub: HubApi
  readonly asker: Asker
  /** This machine, where the agent works on it; null over HTTP: then nothing of it is looked at. */
  readonly machine: Machine | null
  readonly repeats: Repeats
  /** Aborts when the host gives the call up. */
  readonly signal: AbortSignal
  /** Waits until its request is settled or a person asks back, at most until the host's limit. A cancelled call leaves it open. */
  wait(request: Request, atMost?: number): Promise<Request>
  /** Whether this agent asked it. */
  isOwn(request: Request): Promise<boolean>
  /** What to do once the result is written; not done for a call that was cancelled. */
  onceSent(work: () => Promise<unknown>): void
}

export interface Machine {
  /** The guard's view of a directory: people's and the project's rules, and what hides secrets. */
  surroundings(cwd: string): Promise<Surroundings>
  /** What changed in a directory since the run's phase began, or since the last commit. */
  changes(cwd: string, files: readonly string[], run: string | null): Promise<Changes>
  /** Reads files to attach: of this directory and of the temporary folder, and no others. */
  readFiles(paths: readonly string[], cwd: string): Promise<AttachmentInput[]>
}

export interface Changes {
  /** A unified diff. */
  readonly diff: string | null
  /** Markdown: how much changed, and what was not named. */
  readonly context: string | null
}
