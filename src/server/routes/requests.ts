import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../core/parse.ts'
import { type AskInput, BeckonError, kinds, limits, type Settlement, statuses } from '../../protocol/index.ts'
import { HttpFault, lost } from '../errors.ts'
import { bodyOf, type Env, given, type Parts, reply } from '../exchange.ts'

/** Asking, looking, settling, taking. Every rule is the hub's; here it is only spoken in HTTP. */
export function requestRoutes(app: Hono<Env>, { pace }: Parts): void {
  app.post('/api/requests', async c => {
    const visitor = c.get('visitor')
    pace(visitor)
    const input = withKey(await bodyOf(c), c.req.header('idempotency-key'))
    const { request, joined } = await visitor.hub.raiseOrJoin(input)
    return reply(c, request, joined ? 200 : 201, { location: `/api/requests/${request.id}` })
  })

  app.get('/api/requests', async c => {
    const filter = parse(listSchema, c.req.query())
    return reply(c, await c.get('visitor').hub.list(given(filter)))
  })

  app.get('/api/requests/:id', async c => reply(c, await c.get('visitor').hub.get(c.req.param('id'))))

  app.put('/api/requests/:id/answer', async c =>
    settlement(c, await c.get('visitor').hub.answer(c.req.param('id'), (await bodyOf(c)) as object)),
  )
  app.put('/api/requests/:id/skip', async c =>
    settlement(c, await c.get('visitor').hub.skip(c.req.param('id'), (await bodyOf(c)) as object)),
  )
  app.put('/api/requests/:id/decline', async c =>
    settlement(c, await c.get('visitor').hub.decline(c.req.param('id'), (await bodyOf(c)) as object)),
  )
  app.put('/api/requests/:id/cancel', async c =>
    settlement(c, await c.get('visitor').hub.cancel(c.req.param('id'), (await bodyOf(c)) as object)),
  )

  app.put('/api/requests/:id/delivery', async c =>
    reply(c, await c.get('visitor').hub.confirmDelivery(c.req.param('id'))),
  )
  app.put('/api/requests/:id/deadline', async c => {
    const { timeout } = parse(deadlineSchema, await bodyOf(c))
    return reply(c, await c.get('visitor').hub.reschedule(c.req.param('id'), timeout as number | null))
  })
  app.post('/api/requests/:id/value', async c => {
    const options = parse(valueSchema, await bodyOf(c))
    return reply(c, await c.get('visitor').hub.use(c.req.param('id'), given(options)))
  })

  app.get('/api/requests/:id/draft', async c =>
    reply(c, { draft: await c.get('visitor').hub.getDraft(c.req.param('id')) }),
  )
  app.put('/api/requests/:id/draft', async c => {
    const id = c.req.param('id')
    await c
      .get('visitor')
      .hub.saveDraft(id, (await bodyOf(c)) as never)
      .catch(refuseDraft)
    return reply(c, { draft: await c.get('visitor').hub.getDraft(id) })
  })
  app.delete('/api/requests/:id/draft', async c => {
    await c.get('visitor').hub.saveDraft(c.req.param('id'), { answers: [] }).catch(refuseDraft)
    return reply(c, { draft: null })
  })
}

const number = z.coerce.number().int().nonnegative()

const listSchema = z.strictObject({
  status: z.enum([...statuses, 'all']).optional(),
  run: z.string().optional(),
  kind: z.enum(kinds).optional(),
  after: z.string().optional(),
  limit: number.optional(),
  order: z.enum(['asc', 'desc']).optional(),
  search: z.string().max(200).optional(),
})

const deadlineSchema = z.strictObject({ timeout: z.union([z.number(), z.string()]).nullable() })

const valueSchema = z.strictObject({
  digest: z.string().optional(),
  executed: z.string().max(limits.command).optional(),
  again: z.boolean().optional(),
})

function withKey(body: unknown, key: string | undefined): AskInput {
  if (key === undefined || typeof body !== 'object' || body === null) return body as AskInput
  return { key, ...body } as AskInput
}

function settlement(c: Context<Env>, result: Settlement) {
  if (!result.won && !result.replay) throw lost(result)
  return reply(c, result.request, 200, {
    ...(result.replay ? { 'beckon-replay': 'true' } : {}),
    ...(result.kept === undefined ? {} : { 'beckon-kept': encodeURIComponent(result.kept) }),
  })
}

/** Of a secret no draft is kept; what is settled takes none any more. */
function refuseDraft(error: unknown): never {
  if (error instanceof BeckonError && error.code === 'not_allowed' && !error.message.startsWith('This needs')) {
    throw new HttpFault(error.details ? 409 : 422, error.code, error.message, error.details)
  }
  throw error
}
