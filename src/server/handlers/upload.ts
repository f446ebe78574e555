import type { Context } from 'hono'
import { BeckonError, invalid } from '../../protocol/index.ts'
import { HttpFault, lostRace } from '../errors.ts'
import { checkedQuery } from '../read-call.ts'
import { atMost, refuseLength } from '../read-json.ts'
import { type Env, type Handlers, type RouteContext, reply } from '../route-context.ts'

/** A person's file for an agent that asks for one: saved where the agent can read it, and its path is the answer. */
export function uploadHandlers({
  hub,
  saveUpload,
  wakeWaiters,
  limits,
}: RouteContext): Pick<Handlers, 'answerWithFile'> {
  return {
    answerWithFile: async c => {
      const { grant } = c.get('caller')
      if (saveUpload === null) throw new HttpFault(501, 'unsupported', 'This server stores no files.')
      const { name, note } = checkedQuery('Upload', c.req.query())
      refuseLength(c.req.header('content-length'), limits.maxUpload)
      const request = await hub.get(c.req.param('id') as string)
      const file = await saveUpload(request, { name, input: async () => atMost(streamOf(c), limits.maxUpload) })
      try {
        // As the server itself: only on its own machine does the hub know the path as one of its uploads.
        const channel = grant.kind === 'session' ? 'web' : 'http'
        const settlement = await hub.answer(request.id, {
          value: file.path,
          note: note ?? null,
          by: grant.name,
          channel,
        })
        if (!settlement.won) throw lostRace(settlement)
        wakeWaiters(settlement.request)
        return reply(c, settlement.request)
      } catch (error) {
        await file.discard()
        throw request.run === null ? withoutPath(error) : error
      }
    },
  }
}

/** Nobody here knows the machine of an agent that asks over HTTP outside of any run: no path here is of use to it. */
function withoutPath(error: unknown): unknown {
  if (!(error instanceof BeckonError) || error.code !== 'invalid') return error
  const message =
    'no file can be handed over: the machine of the agent is not known. Answer with a path on that machine'
  return invalid([{ path: 'upload', message }])
}

function streamOf(c: Context<Env>): AsyncIterable<Uint8Array> {
  return c.req.raw.body ?? new Blob([]).stream()
}
