import { BeckonError, type DraftInput } from '../../protocol/index.ts'
import { bodies } from '../../protocol/operations/schemas.ts'
import { parse } from '../../protocol/parse.ts'
import { ask } from '../ask-and-settle.ts'
import { HttpFault } from '../errors.ts'
import { mostAskBytes } from '../read-json.ts'
import { bodyOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

// As if it were rather large.
const unknownLength = 1024 * 1024

export function requestHandlers(
  context: RouteContext,
): Pick<Handlers, 'raise' | 'get' | 'judge' | 'drafts.save' | 'drafts.delete'> {
  return {
    raise: async c => {
      const bytes = Number(c.req.header('content-length') ?? unknownLength)
      const idempotencyKey = c.req.header('idempotency-key')
      const { request, status, headers } = await ask(context, c.get('caller'), {
        bytes,
        read: () => bodyOf(c, mostAskBytes),
        idempotencyKey,
      })
      return reply(c, request, status, headers)
    },

    // A call with `wait` is held open by live/long-poll.ts instead.
    get: async c => reply(c, await c.get('caller').hub.get(c.req.param('id') as string)),

    judge: async c => {
      const edited = parse(bodies.Edited, await bodyOf(c))
      return reply(c, await context.hub.judgeEdit(c.req.param('id') as string, edited))
    },

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
}

/** A secret has no draft (422); a settled request has none any more (409). */
function refuseDraft(error: unknown): never {
  if (!(error instanceof BeckonError) || error.code !== 'not_allowed') throw error
  throw new HttpFault(error.details ? 409 : 422, error.code, error.message, error.details)
}
