import type { Event, HubApi } from '../../protocol/index.ts'
import type { EventPage, RestrictedHub } from '../shared-hub.ts'

type EventOptions = NonNullable<Parameters<HubApi['events']>[0]>

/** The events of the hub for a caller who may see some of them only. */
export function createVisibleEvents(
  hub: Pick<HubApi, 'events' | 'follow'>,
  isVisible: RestrictedHub['isVisible'],
): Pick<RestrictedHub, 'events' | 'eventPage' | 'follow' | 'isVisible'> {
  return {
    events: async options => (await eventPage(options)).events,
    eventPage,
    follow: options => followVisible(hub.follow(options)),
    isVisible,
  }

  /** One page of all events, without those of others: it may be empty while more follow. */
  async function eventPage(options: EventOptions = {}): Promise<EventPage> {
    const { since = 0 } = options
    const events = await hub.events(options)
    const visible = await Promise.all(events.map(isVisible))
    return { events: events.filter((_, i) => visible[i]), last: events.at(-1)?.id ?? since }
  }

  async function* followVisible(events: AsyncIterable<Event>) {
    for await (const event of events) if (await isVisible(event)) yield event
  }
}
