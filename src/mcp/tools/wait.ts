import { parseDuration } from '../../protocol/duration.ts'
import { limits } from '../../protocol/limits.ts'
import { outcomeOf } from '../documents.ts'
import { resultFor } from '../settled.ts'
import { oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

const duration = oneLine(limits.name).refine(
  source => parseDuration(source) !== null,
  'is not a duration; write 90s, 15m or 1h30m',
)

export const waitTool = tool({
  name: 'wait',
  title: 'Wait for a request',
  description:
    'Wait for the outcome of a request that was still pending, by its id. Returns the outcome, or the ticket again when nobody has answered yet; then call wait again, or go on with other work first.',
  input: fields({
    id: oneLine(limits.name).describe('The id of the ticket: req_…'),
    for: duration
      .optional()
      .describe('How long to wait, such as "30s"; "0s" only looks. At most as long as this host allows.'),
  }),
  annotations: { idempotentHint: true },
  async call({ id, for: duration }, call) {
    const atMost = duration === undefined ? undefined : (parseDuration(duration) ?? undefined)
    const request = await call.wait(await call.hub.get(id), atMost)
    // Somebody else's outcome can be seen, and is not taken from them.
    if (request.status === 'pending' || (await call.isOwn(request))) return resultFor(call, request)
    return outcomeOf(request)
  },
})
