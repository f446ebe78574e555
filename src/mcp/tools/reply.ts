import { BeckonError } from '../../protocol/errors.ts'
import { limits } from '../../protocol/limits.ts'
import { resultFor } from '../settled.ts'
import { filled, oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

export const replyTool = tool({
  name: 'reply',
  title: 'Reply to a person who asks back',
  description:
    'Answer what a person asked back about your request ("messages" in a result), and wait on for their decision. The request stays open as you asked it: a reply informs, and changes nothing about it.',
  input: fields({
    id: oneLine(limits.name).describe('The id of your request: req_…'),
    text: filled(limits.message).describe('Your reply.'),
  }),
  annotations: { idempotentHint: true },
  async call({ id, text }, call) {
    const request = await call.hub.get(id)
    if (!(await call.isOwn(request))) {
      throw new BeckonError('not_allowed', `Somebody else asked ${id}: an agent may only reply on its own requests.`)
    }
    // Where it is settled already, the outcome says more than a refusal.
    if (request.status === 'pending') await call.hub.messages.send(id, { text, as: 'agent' }).catch(ignoreSettled)
    return resultFor(call, await call.wait(await call.hub.get(id)))
  },
})

function ignoreSettled(error: unknown): void {
  if (!(error instanceof BeckonError) || error.code !== 'settled_otherwise') throw error
}
