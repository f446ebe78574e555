import { type Handlers, type RouteContext, reply } from '../route-context.ts'

export function targetHandlers({ addresses }: RouteContext): Pick<Handlers, 'targets.test'> {
  return {
    // The server knows best where its inbox is.
    'targets.test': async c =>
      reply(c, await c.get('caller').hub.targets.test(c.req.param('name') as string, { url: addresses.url })),
  }
}
