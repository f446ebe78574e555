import type { Event, HubApi } from '../../protocol/index.ts'
import type { EventPage, GuestHub } from '../access.ts'

type EventOptions = NonNullable<Parameters<HubApi['events']>[0]>

/** The events as a guest has them who hears of some only. */
export function createHearing(
  hub: Pick<HubApi, 'events' | 'follow'>,
  hears: GuestHub['hears'],
): Pick<GuestHub, 'events' | 'eventPage' | 'follow' | 'hears'> {
  return {
    events: async options => (await eventPage(options)).events,
    eventPage,
    follow: options => followOwn(hub.follow(options)),
    hears,
  }

  /** One page of all events, without those of others: it may be empty though there is more behind it. */
  async function eventPage(options: EventOptions = {}): Promise<EventPage> {
    const { since = 0 } = options
    const events = await hub.events(options)
    const heard = await Promise.all(events.map(hears))
    return { events: events.filter((_, i) => heard[i]), last: events.at(-1)?.id ?? since }
  }

  async function* followOwn(events: AsyncIterable<Event>) {
    for await (const event of events) if (await hears(event)) yield event
  }
}
