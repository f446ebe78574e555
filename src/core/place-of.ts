import type { RequestRecord } from '../store/records.ts'
import type { Caller } from './caller.ts'
import type { Place } from './dependency-value.ts'

/** Links can only be followed on the host where the agent works; elsewhere the path is judged by its letters. */
export function placeOf(record: RequestRecord, caller: Caller, realpath: Place['realpath'] | undefined): Place {
  const place = { directory: record.agent.cwd, outside: record.body.outside === true }
  return realpath && record.host === caller.host ? { ...place, realpath } : place
}
