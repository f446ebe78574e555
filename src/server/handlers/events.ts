import { checkedQuery } from '../read-call.ts'
import { type Handlers, reply } from '../route-context.ts'

/** A page of events. A call that accepts a stream is held open by live/event-streams.ts instead. */
export function eventHandlers(): Pick<Handlers, 'events'> {
  return {
    events: async c => reply(c, await c.get('caller').hub.eventPage(readEventsQuery(c.req.query()))),
  }
}

/** `after` is what pages of requests call it. */
export function readEventsQuery(query: Record<string, unknown>): { since?: number; limit?: number } {
  const { after, ...options } = checkedQuery('Events', query)
  return after === undefined ? options : { since: after, ...options }
}
