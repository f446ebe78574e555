import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { requestOf } from '../../protocol/reference.ts'
import type { Request } from '../../protocol/request.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'
import type { Ending } from './ask-and-wait.ts'

/** A reference names the request that its value belongs to. An agent may only open its own. */
export async function openReference(
  context: Context,
  reference: string,
  work: (hub: HubApi, request: Request) => Promise<Ending>,
): Promise<number> {
  const id = requestOf(reference)
  if (id === null) throw invalid([{ path: 'ref', message: 'is not a reference; references look like ref_01jz…' }])
  const agent = agentContext(context)
  const ending = await withHub(context, async hub => {
    const request = await hub.get(id)
    if (request.kind !== 'dependency') throw invalid([{ path: 'ref', message: 'is not the reference of a dependency' }])
    if (agent.marker === null || (await isOwn(hub, request, agent, context))) return work(hub, request)
    throw new BeckonError(
      'not_allowed',
      `${reference} belongs to somebody else: an agent may only use its own references.`,
    )
  })
  return typeof ending === 'number' ? ending : ending()
}
