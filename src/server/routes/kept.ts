import type { Hono } from 'hono'
import { type Env, reply } from '../route-context.ts'

/** What people keep for later asks; never the values. */
export function keptRoutes(app: Hono<Env>): void {
  app.get('/api/kept', async c => reply(c, { kept: await c.get('visitor').hub.kept.list() }))

  app.delete('/api/kept/:name', async c =>
    reply(c, { kept: await c.get('visitor').hub.kept.forget(c.req.param('name')) }),
  )
}
