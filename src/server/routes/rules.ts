import type { Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../core/parse.ts'
import { type Env, reply } from '../exchange.ts'

/** What people always allow, want to be asked about, or forbid. */
export function ruleRoutes(app: Hono<Env>): void {
  app.get('/api/rules', async c => {
    const { all } = parse(listSchema, c.req.query())
    return reply(c, { rules: await c.get('visitor').hub.listRules({ all: all === 'true' }) })
  })

  app.delete('/api/rules/:id', async c => reply(c, { rule: await c.get('visitor').hub.removeRule(c.req.param('id')) }))
}

const listSchema = z.strictObject({ all: z.enum(['true', 'false']).default('false') })
