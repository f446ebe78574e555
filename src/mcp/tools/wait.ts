import { parseDuration } from '../../protocol/duration.ts'
import { invalid } from '../../protocol/errors.ts'
import { limits } from '../../protocol/limits.ts'
import type { Request } from '../../protocol/request.ts'

import type { Call } from '../call.ts'
import { type Document, outcomeOf, ticketOf } from '../documents.ts'
import { deliver } from './asking.ts'
import { oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

export const waitTool = tool({
  name: 'wait',
  title: 'Wait for a request',
  description:
    'Wait for the outcome of a request that was still pending, by its id. Returns the outcome, or the ticket again when nobody has answered yet; then call wait again, or go on with other work first.',
  input: fields({
    id: oneLine(limits.name).describe('The id of the ticket: req_…'),
    for: oneLine(limits.name)
      .optional()
      .describe('How long to wait, such as "30s"; "0s" only looks. At most as long as this host allows.'),
  }),
  annotations: { idempotentHint: true },
  async call({ id, for: duration }, call) {
    const request = await call.wait(await call.hub.get(id), duration === undefined ? undefined : readDuration(duration))
    if (request.status === 'pending') return ticketOf(request)
    // Somebody else's outcome can be seen, and is not taken from them.
    return (await call.isOwn(request)) ? settledDocument(call, request) : outcomeOf(request)
  },
})

function settledDocument(call: Call, request: Request): Document {
  return deliver(call, request)
}

function readDuration(source: string): number {
  const ms = parseDuration(source)
  if (ms === null) throw invalid([{ path: 'for', message: 'is not a duration; write 90s, 15m or 1h30m' }])
  return ms
}
