import type { Hono } from 'hono'
import { bodyOf, type Env, type Parts, reply } from '../route-context.ts'

/** Where people are told that something waits; and browsers that want to be told. */
export function notifyRoutes(app: Hono<Env>, { addresses }: Parts): void {
  app.get('/api/notify', async c => reply(c, { targets: await c.get('visitor').hub.targets.list() }))

  app.post('/api/notify', async c => reply(c, await c.get('visitor').hub.targets.add((await bodyOf(c)) as never), 201))

  app.delete('/api/notify/:name', async c =>
    reply(c, { target: await c.get('visitor').hub.targets.remove(c.req.param('name')) }),
  )

  app.post('/api/notify/:name/test', async c =>
    reply(c, await c.get('visitor').hub.targets.test(c.req.param('name'), { url: addresses.url })),
  )

  app.get('/api/push/key', async c => reply(c, { key: await c.get('visitor').hub.push.key() }))

  app.post('/api/push/subscriptions', async c =>
    reply(c, { target: await c.get('visitor').hub.push.subscribe((await bodyOf(c)) as never) }, 201),
  )

  app.delete('/api/push/subscriptions', async c => {
    const { endpoint } = ((await bodyOf(c)) ?? {}) as { endpoint: string }
    return reply(c, { removed: await c.get('visitor').hub.push.unsubscribe(endpoint) })
  })
}
