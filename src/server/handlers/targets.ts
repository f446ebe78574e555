import { bodies } from '../../protocol/operations/schemas.ts'
import { parse } from '../../protocol/parse.ts'
import { bodyOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

export function targetHandlers({ addresses }: RouteContext): Pick<Handlers, 'targets.test' | 'push.test'> {
  return {
    // The server knows best where its inbox is.
    'targets.test': async c =>
      reply(c, await c.get('caller').hub.targets.test(c.req.param('name') as string, { url: addresses.url })),

    'push.test': async c => {
      const { endpoint } = parse(bodies.PushEndpoint, await bodyOf(c))
      return reply(c, await c.get('caller').hub.push.test(endpoint, { url: addresses.url }))
    },
  }
}
