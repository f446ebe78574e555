import { type Handlers, type RouteContext, reply } from '../route-context.ts'

export function tokenHandlers({ callers }: RouteContext): Pick<Handlers, 'tokens.revoke'> {
  return {
    'tokens.revoke': async c => {
      const token = await c.get('caller').hub.tokens.revoke(c.req.param('id') as string)
      await callers.drop([token.id])
      return reply(c, { token })
    },
  }
}
