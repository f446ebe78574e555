import type { Hono } from 'hono'
import * as z from 'zod'
import { limits, line } from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { lost } from '../errors.ts'
import { bodyOf, type Env, type Parts, reply } from '../route-context.ts'

/** What people always allow, want to be asked about, or forbid. */
export function ruleRoutes(app: Hono<Env>, { settled }: Parts): void {
  app.get('/api/rules', async c => {
    const { all } = parse(listSchema, c.req.query())
    return reply(c, { rules: await c.get('visitor').hub.rules.list({ all: all === 'true' }) })
  })

  app.delete('/api/rules/:id', async c =>
    reply(c, { rule: await c.get('visitor').hub.rules.remove(c.req.param('id')) }),
  )

  app.put('/api/requests/:id/rule', async c => {
    const { rule } = parse(allowSchema, await bodyOf(c))
    const settlement = await c.get('visitor').hub.allowByRule(c.req.param('id'), rule)
    if (!settlement.won && !settlement.replay) throw lost(settlement)
    if (settlement.won) settled(settlement.request)
    return reply(c, settlement.request, 200, settlement.replay ? { 'beckon-replay': 'true' } : {})
  })
}

const listSchema = z.strictObject({ all: z.enum(['true', 'false']).default('false') })
const allowSchema = z.strictObject({ rule: line(limits.name) })
