import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { BeckonError, limits } from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { refuseUpload, storeUpload } from '../../supervisor/upload.ts'
import { HttpFault, lost } from '../errors.ts'
import { type Env, type Parts, refuseAgents, reply } from '../route-context.ts'

/** A file from a person's device for an agent that asks for one: laid where the agent can read it, and its path is the answer. */
export function fileRoutes(app: Hono<Env>, { hub, home, settled }: Parts): void {
  app.put(uploadPath, async c => {
    const { grant } = c.get('visitor')
    refuseAgents(c.get('visitor'))
    if (home === null) throw new HttpFault(501, 'unsupported', 'This server keeps no files.')
    const { name, note } = parse(uploadSchema, c.req.query())
    const request = await hub.get(c.req.param('id') as string)
    const file = await storeUpload(home, hub, request, { name, input: async () => bodyOf(c) })
    try {
      // By the server itself: only on its own machine can it say that the path is one of its uploads.
      const channel = grant.kind === 'session' ? 'web' : 'http'
      const settlement = await hub.answer(request.id, { value: file.path, note: note ?? null, by: grant.name, channel })
      if (!settlement.won) throw lost(settlement)
      settled(settlement.request)
      return reply(c, settlement.request)
    } catch (error) {
      await file.discard()
      throw request.run === null ? told(error) : error
    }
  })
}

const uploadPath = '/api/requests/:id/file'

export function isUpload(method: string, path: string): boolean {
  return method === 'PUT' && /^\/api\/requests\/[\w-]+\/file$/.test(path)
}

const uploadSchema = z.strictObject({
  name: z.string().trim().min(1).max(limits.path),
  note: z.string().max(limits.note).optional(),
})

/** Where an agent is that asks over HTTP outside of any run, nobody here knows; no path of this machine is of use to it. */
function told(error: unknown): unknown {
  if (!(error instanceof BeckonError) || error.code !== 'invalid') return error
  return refuseUpload(
    'no file can be handed over: it is not known on which machine the agent works. Give it a path there',
  )
}

function bodyOf(c: Context<Env>): AsyncIterable<Uint8Array> {
  return c.req.raw.body ?? new Blob([]).stream()
}
