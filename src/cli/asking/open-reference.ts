import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { requestOf } from '../../protocol/reference.ts'
import type { Request } from '../../protocol/request.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'
import type { Ending } from './ask-and-wait.ts'

/** A reference names the request whose value it stands for. Agents open their own only. */
export async function openReference(
  context: Context,
  reference: string,
  work: (hub: HubApi, request: Request) => Promise<Ending>,
): Promise<number> {
  const id = requestOf(reference)
  if (id === null) throw invalid([{ path: 'ref', message: 'is no reference; they look like ref_01jz…' }])
  const agent = agentContext(context)
  const ending = await withHub(context, async hub => {
    const request = await hub.get(id)
    if (request.kind !== 'dependency') throw invalid([{ path: 'ref', message: 'stands for no dependency' }])
    if (agent.marker === null || isOwn(request, agent, context.cwd)) return work(hub, request)
    throw new BeckonError('not_allowed', `${reference} was given to somebody else: an agent opens its own only.`)
  })
  return typeof ending === 'number' ? ending : ending()
}
