import type { Request } from '../../protocol/request.ts'

export interface InboxOptions {
  signal: AbortSignal
  /** No bell and no notification. */
  quiet: boolean
  /** Who settled it, where and how, in a sentence without anything harmful. */
  describe: (request: Request) => string
  now: () => number
}
