import type { Request } from '../../protocol/request.ts'
import type { ReadLog } from './run-output.ts'

export interface InboxOptions {
  signal: AbortSignal
  /** No bell and no desktop notification. */
  quiet: boolean
  /** A sentence, made harmless, saying who settled a request, where and how. */
  describe: (request: Request) => string
  now: () => number
  /** The log of a run, on this machine or another. */
  readLog: ReadLog
}
