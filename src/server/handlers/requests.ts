import type { Context } from 'hono'
import { BeckonError, type DraftInput } from '../../protocol/index.ts'
import { ask } from '../ask-and-settle.ts'
import { HttpFault } from '../errors.ts'
import { attachedBytes, refuseBesideFiles } from '../read-json.ts'
import { bodyOf, type Env, type Handlers, type RouteContext, reply } from '../route-context.ts'

// As if it were rather large.
const unknownLength = 1024 * 1024

export function requestHandlers(
  context: RouteContext,
): Pick<Handlers, 'raise' | 'get' | 'drafts.save' | 'drafts.delete'> {
  return {
    raise: async c => {
      const bytes = Number(c.req.header('content-length') ?? unknownLength)
      const idempotencyKey = c.req.header('idempotency-key')
      const { request, status, headers } = await ask(context, c.get('caller'), {
        bytes,
        read: () => readAsk(c),
        idempotencyKey,
      })
      return reply(c, request, status, headers)
    },

    // A call with `wait` is held open by live/long-poll.ts instead.
    get: async c => reply(c, await c.get('caller').hub.get(c.req.param('id') as string)),

    'drafts.save': async c => {
      const { drafts } = c.get('caller').hub
      const id = c.req.param('id') as string
      const input = (await bodyOf(c)) as DraftInput
      await drafts.save(id, input).catch(refuseDraft)
      const { by } = input
      return reply(c, { draft: await drafts.get(id, by === undefined ? {} : { by }) })
    },

    'drafts.delete': async c => {
      const id = c.req.param('id') as string
      await c.get('caller').hub.drafts.save(id, { answers: [] }).catch(refuseDraft)
      return reply(c, { draft: null })
    },
  }

  /** Its files come on top of what a body may have. */
  async function readAsk(c: Context<Env>): Promise<unknown> {
    const { maxBody } = context.limits
    const body = await bodyOf(c, maxBody + attachedBytes)
    if (!(Number(c.req.header('content-length')) <= maxBody)) refuseBesideFiles(body, maxBody)
    return body
  }
}

/** A secret has no draft (422); a settled request has none any more (409). */
function refuseDraft(error: unknown): never {
  if (!(error instanceof BeckonError) || error.code !== 'not_allowed') throw error
  throw new HttpFault(error.details ? 409 : 422, error.code, error.message, error.details)
}
