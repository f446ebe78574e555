import { BeckonError } from '../../protocol/errors.ts'
import { limits } from '../../protocol/limits.ts'
import { resultFor } from '../settled.ts'
import { oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

export const cancelTool = tool({
  name: 'cancel',
  title: 'Withdraw a request',
  description:
    'Withdraw a request of your own that is not needed any more. If it was settled before, the result is that outcome.',
  input: fields({ id: oneLine(limits.name).describe('The id of the request: req_…') }),
  annotations: { idempotentHint: true },
  async call({ id }, call) {
    const request = await call.hub.get(id)
    if (!(await call.isOwn(request))) {
      throw new BeckonError('not_allowed', `Somebody else asked ${id}: an agent may only withdraw its own requests.`)
    }
    return resultFor(call, (await call.hub.cancel(id)).request)
  },
})
