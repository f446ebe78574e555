import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { BeckonError, kinds, limits, statuses } from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { ask, type Spoken, settle, settlingVerbs } from '../ask-and-settle.ts'
import { judgeEdit } from '../edits.ts'
import { HttpFault } from '../errors.ts'
import { bodyOf, type Env, given, type Parts, refuseAgents, reply } from '../route-context.ts'

/** Asking, looking, settling, taking. Every rule is the hub's; here it is only spoken in HTTP. */
export function requestRoutes(app: Hono<Env>, parts: Parts): void {
  app.post('/api/requests', async c => {
    const bytes = Number(c.req.header('content-length') ?? unknownLength)
    const key = c.req.header('idempotency-key')
    return speak(c, await ask(parts, c.get('visitor'), { bytes, read: () => bodyOf(c), key }))
  })

  app.get('/api/requests', async c => {
    const filter = parse(listSchema, c.req.query())
    return reply(c, await c.get('visitor').hub.list(given(filter)))
  })

  app.get('/api/requests/:id', async c => reply(c, await c.get('visitor').hub.get(c.req.param('id'))))

  for (const verb of settlingVerbs) {
    app.put(`/api/requests/:id/${verb}`, async c =>
      speak(c, await settle(parts, c.get('visitor'), verb, c.req.param('id') as string, await bodyOf(c))),
    )
  }

  app.post('/api/requests/:id/verdict', async c => {
    refuseAgents(c.get('visitor'))
    const { command } = parse(commandSchema, await bodyOf(c))
    return reply(c, await judgeEdit(parts, c.get('visitor'), c.req.param('id'), command))
  })

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
    reply(c, { draft: await c.get('visitor').hub.drafts.get(c.req.param('id')) }),
  )
  app.put('/api/requests/:id/draft', async c => {
    const id = c.req.param('id')
    await c
      .get('visitor')
      .hub.drafts.save(id, (await bodyOf(c)) as never)
      .catch(refuseDraft)
    return reply(c, { draft: await c.get('visitor').hub.drafts.get(id) })
  })
  app.delete('/api/requests/:id/draft', async c => {
    await c.get('visitor').hub.drafts.save(c.req.param('id'), { answers: [] }).catch(refuseDraft)
    return reply(c, { draft: null })
  })
}

// As if it were rather large.
const unknownLength = 1024 * 1024
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

const commandSchema = z.strictObject({ command: z.string().trim().min(1).max(limits.command) })

const deadlineSchema = z.strictObject({ timeout: z.union([z.number(), z.string()]).nullable() })

const valueSchema = z.strictObject({
  digest: z.string().optional(),
  executed: z.string().max(limits.command).optional(),
  again: z.boolean().optional(),
})

function speak(c: Context<Env>, { request, status, headers }: Spoken) {
  return reply(c, request, status, headers)
}

/** Of a secret no draft is kept; what is settled takes none any more. */
function refuseDraft(error: unknown): never {
  if (error instanceof BeckonError && error.code === 'not_allowed' && !error.message.startsWith('This needs')) {
    throw new HttpFault(error.details ? 409 : 422, error.code, error.message, error.details)
  }
  throw error
}
