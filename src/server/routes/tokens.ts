import type { Hono } from 'hono'
import { bodyOf, type Env, type Parts, reply } from '../route-context.ts'

export function tokenRoutes(app: Hono<Env>, { visitors }: Parts): void {
  app.get('/api/tokens', async c => reply(c, { tokens: await c.get('visitor').hub.tokens.list() }))

  app.post('/api/tokens', async c =>
    reply(c, await c.get('visitor').hub.tokens.create((await bodyOf(c)) as never), 201),
  )

  app.delete('/api/tokens/:id', async c => {
    const token = await c.get('visitor').hub.tokens.revoke(c.req.param('id'))
    await visitors.drop(token.id)
    return reply(c, { token })
  })
}
