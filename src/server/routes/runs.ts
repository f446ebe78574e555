import type { Hono } from 'hono'
import * as z from 'zod'
import { limits, line, type Run, text } from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { bodyOf, type Env, given, type Parts, refuseAskers, reply } from '../route-context.ts'
import { isLogHere, readRunLog } from '../run-log.ts'

const verbs = { pause: 'paused', resume: 'running', stop: 'stopped' } as const
const reasonSchema = z.strictObject({ reason: text(limits.note).nullish() })
const number = z.coerce.number().int().nonnegative()
const listSchema = z.strictObject({
  awake: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  ready: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  active: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  host: line(limits.name).optional(),
  local: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  limit: number.optional(),
})
const checkpointsSchema = z.strictObject({ limit: number.optional() })
const logSchema = z.strictObject({
  after: z.string().max(100).optional(),
  limit: number.optional(),
  wait: z.coerce.number().nonnegative().optional(),
})

export function runRoutes(app: Hono<Env>, { home }: Parts): void {
  app.get('/api/runs', async c => {
    const filter = parse(listSchema, c.req.query())
    return reply(c, { runs: await c.get('visitor').hub.runs.list(given(filter)) })
  })
  app.post('/api/runs', async c => reply(c, await c.get('visitor').hub.runs.start((await bodyOf(c)) as never), 201))
  app.get('/api/runs/:id', async c => reply(c, await c.get('visitor').hub.runs.get(c.req.param('id'))))
  app.patch('/api/runs/:id', async c =>
    reply(c, await c.get('visitor').hub.runs.change(c.req.param('id'), (await bodyOf(c)) as object)),
  )
  for (const [verb, status] of Object.entries(verbs)) {
    app.post(`/api/runs/:id/${verb}`, async c => {
      const { reason = null } = parse(reasonSchema, await bodyOf(c))
      return reply(c, await c.get('visitor').hub.runs.change(c.req.param('id') as string, { status, reason }))
    })
  }

  app.get('/api/runs/:id/log', async c => {
    const { hub, grant } = c.get('visitor')
    refuseAskers({ grant })
    const run = await hub.runs.get(c.req.param('id'))
    const options = { ...given(parse(logSchema, c.req.query())), signal: c.req.raw.signal }
    const page = isLogHere(home, run.id)
      ? readRunLog(home, run.id, { ...options, ended: isOver(run) })
      : hub.logs.read(run.id, options)
    return reply(c, await page)
  })
  app.post('/api/runs/:id/log', async c => {
    const { hub, grant } = c.get('visitor')
    refuseAskers({ grant })
    const { id } = await hub.runs.get(c.req.param('id'))
    // A supervisor of this very home talks to us over HTTP.
    if (isLogHere(home, id)) return reply(c, { next: '0.0', closed: false, wanted: false })
    return reply(c, await hub.logs.append(id, (await bodyOf(c)) as never))
  })
  app.get('/api/runs/:id/checkpoints', async c => {
    const options = parse(checkpointsSchema, c.req.query())
    return reply(c, { checkpoints: await c.get('visitor').hub.checkpoints.list(c.req.param('id'), given(options)) })
  })
  app.post('/api/runs/:id/checkpoints', async c => {
    const body = (await bodyOf(c)) as object
    return reply(c, await c.get('visitor').hub.checkpoints.save({ ...body, run: c.req.param('id') } as never), 201)
  })
  app.get('/api/checkpoints/:id', async c => reply(c, await c.get('visitor').hub.checkpoints.get(c.req.param('id'))))
}

// A supervisor that was killed leaves its log open; one that was stopped from elsewhere may still be at it.
const graceForWriter = 2_000

function isOver({ endedAt }: Run): boolean {
  return endedAt !== null && Date.now() - Date.parse(endedAt) > graceForWriter
}
