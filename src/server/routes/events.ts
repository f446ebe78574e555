import type { Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../core/parse.ts'
import { type Env, given, reply } from '../exchange.ts'

const number = z.coerce.number().int().nonnegative()
export const eventsSchema = z.object({ since: number.optional(), limit: number.optional() })

/** A page of events, for those who do not follow them. */
export function eventRoutes(app: Hono<Env>): void {
  app.get('/api/events', async c => {
    const options = parse(eventsSchema, c.req.query())
    const events = await c.get('visitor').hub.events(given(options))
    return reply(c, { events, last: events.at(-1)?.id ?? options.since ?? 0 })
  })
}
