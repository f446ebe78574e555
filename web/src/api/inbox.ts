import type { Inbox, InboxFilter } from '../../../src/protocol/inbox.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { call } from './call.ts'

export function readInbox(filter: InboxFilter, signal?: AbortSignal): Promise<Inbox> {
  return call('inbox', [filter], { signal })
}

/** Until when this person does not want to see it; null ends that. */
export function snooze(id: string, until: string | null): Promise<Request> {
  return call('snooze', [id, { until }])
}
