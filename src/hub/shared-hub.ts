import type { AskInput, Event, HubApi } from '../protocol/index.ts'
import type { StoreObserver } from '../store/observed.ts'
import type { Access } from './access/access.ts'
import type { Grant } from './access/grant.ts'
import type { Raised } from './ask.ts'
import type { Statistics } from './statistics.ts'

/** A hub that others call over HTTP, each in their own name and with their own rights. */
export interface SharedHub extends HubApi {
  as(grant: Grant): RestrictedHub
  access: Access
  /** Writes to the store and reads from it; throws where either fails. */
  probe(): Promise<void>
  /** What waits, and what happened so far, in the whole store. */
  statistics(): Promise<Statistics>
  /** Hears of every call of this hub to its store. */
  observeStore(observer: StoreObserver): void
}

/** The hub as the bearer of a grant has it. What they may do and see is decided here, below every door. */
export interface RestrictedHub extends HubApi {
  isVisible(event: Event): boolean | Promise<boolean>
  eventPage(options?: Parameters<HubApi['events']>[0]): Promise<EventPage>
  raiseOrJoin(input: AskInput): Promise<Raised>
}

export interface EventPage {
  events: Event[]
  /** The last event that was looked at, visible or not: the next page begins after it. */
  last: number
}
