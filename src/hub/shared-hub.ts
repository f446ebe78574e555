import type { AskInput, Edited, Event, Explanation, HubApi } from '../protocol/index.ts'
import type { Access } from './access/access.ts'
import type { Grant } from './access/grant.ts'
import type { Raised } from './ask.ts'

/** A hub that others call over HTTP, each in their own name and with their own rights. */
export interface SharedHub extends HubApi {
  as(grant: Grant): RestrictedHub
  access: Access
  /** Writes to the store and reads from it; throws where either fails. */
  probe(): Promise<void>
  /** What the guard says about a person's version of an action, while they write it. */
  judgeEdit(id: string, edited: Edited): Promise<Explanation>
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
