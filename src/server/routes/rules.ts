import type { Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../core/parse.ts'
import { limits, line } from '../../protocol/index.ts'
import { lost } from '../errors.ts'
import { bodyOf, type Env, given, type Parts, reply } from '../exchange.ts'

const listSchema = z.strictObject({
  all: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
})
const allowSchema = z.strictObject({ rule: line(limits.name) })

/** What people said about commands. It is read here, and made where people are. */
export function ruleRoutes(app: Hono<Env>, { settled }: Parts): void {
  app.get('/api/rules', async c =>
    reply(c, { rules: await c.get('visitor').hub.listRules(given(parse(listSchema, c.req.query()))) }),
  )

  app.put('/api/requests/:id/rule', async c => {
    const { rule } = parse(allowSchema, await bodyOf(c))
    const settlement = await c.get('visitor').hub.allowByRule(c.req.param('id'), rule)
    if (!settlement.won && !settlement.replay) throw lost(settlement)
    if (settlement.won) settled(settlement.request)
    return reply(c, settlement.request, 200, settlement.replay ? { 'beckon-replay': 'true' } : {})
  })
}
