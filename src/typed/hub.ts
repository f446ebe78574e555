import type * as protocol from '../protocol/hub.ts'
import type * as used from '../protocol/use.ts'
import type { Ask } from './ask.ts'
import type { KnownFields } from './known-fields.ts'
import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

// `Paths` is `never` where an ask cannot attach files by their path.

/** The hub as programs have it: every verb, by what it acts on. */
export interface Hub<Paths = string> extends protocol.HubApi<Request> {
  /** Stores a request, or joins the open one that asks the same; does not wait. */
  raise<const Given extends Ask<Paths>>(ask: Given & KnownFields<Given>): Promise<Request>
  /** Asks, waits until it is settled, confirms the delivery, and returns the outcome. The yes to an approval is spent. */
  ask<const Given extends Ask<Paths>>(
    ask: Given & KnownFields<Given>,
    options?: protocol.AskOptions,
  ): Promise<Outcome<Given>>
}

/** `won`: this call settled it. `replay`: it was settled before by the very same answer. Otherwise somebody else won. */
export type Settlement = protocol.Settlement<Request>
export type RequestPage = protocol.RequestPage<Request>
export type Used = used.Used<Request>
