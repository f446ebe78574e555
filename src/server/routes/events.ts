import type { Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../protocol/parse.ts'
import { type Env, given, reply } from '../route-context.ts'

const number = z.coerce.number().int().nonnegative()

/** `after` is what pages of requests call it. */
export const eventsSchema = z
  .strictObject({ since: number.optional(), after: number.optional(), limit: number.optional() })
  .transform(({ since, after, limit }) => ({ since: since ?? after, limit }))

/** A page of events, for those who do not follow them. */
export function eventRoutes(app: Hono<Env>): void {
  app.get('/api/events', async c => {
    const options = parse(eventsSchema, c.req.query())
    return reply(c, await c.get('visitor').hub.eventPage(given(options)))
  })
}
