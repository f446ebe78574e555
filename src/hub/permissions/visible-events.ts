import type { Event, EventsOptions } from '../../protocol/index.ts'
import type { HubEvents } from '../events.ts'
import type { EventPage, RestrictedHub } from '../shared-hub.ts'

/** The events of the hub for a caller who may see some of them only. */
export function createVisibleEvents(
  hub: Pick<HubEvents, 'eventPage' | 'follow'>,
  isVisible: RestrictedHub['isVisible'],
): Pick<RestrictedHub, 'events' | 'eventPage' | 'follow' | 'isVisible'> {
  return {
    events: async options => (await eventPage(options)).events,
    eventPage,
    follow: options => followVisible(hub.follow(options)),
    isVisible,
  }

  /** One page of all events, without those of others: it may be empty while more follow. */
  async function eventPage(options: EventsOptions = {}): Promise<EventPage> {
    const { events, last } = await hub.eventPage(options)
    const visible = await Promise.all(events.map(isVisible))
    return { events: events.filter((_, i) => visible[i]), last }
  }

  async function* followVisible(events: AsyncIterable<Event>) {
    for await (const event of events) if (await isVisible(event)) yield event
  }
}
