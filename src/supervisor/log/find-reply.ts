import { splitReply } from './format.ts'
import { blocksBackwards, listSegments } from './segments.ts'

// The agent is stopped from its question until its answer is recorded as delivered, so the reply is among the last records.
const blocksToRead = 64

/** Whether the log has the reply to a request: a supervisor may have died between writing it and recording that. */
export async function isReplyLogged(folder: string, request: string): Promise<boolean> {
  let left = blocksToRead
  for (const segment of (await listSegments(folder)).reverse()) {
    for await (const { records } of blocksBackwards(folder, segment)) {
      if (records.some(({ kind, bytes }) => kind === 'reply' && splitReply(bytes).request === request)) return true
      left -= 1
      if (left === 0) return false
    }
  }
  return false
}
