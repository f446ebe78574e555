import type { Place } from '../rules/dependency-value.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Caller } from './caller.ts'

/** What the hub knows of the files of its host. */
export interface Files {
  /** Where a path really leads; null where there is nothing. */
  realpath?: (path: string) => string | null
  /** Where the files lie that people uploaded for a request. */
  uploads?: (request: { run: string | null; id: string }) => string
}

/** Links can only be followed on the host where the agent works; elsewhere the path is judged by its letters. */
export function placeOf(record: RequestRecord, caller: Caller, { realpath, uploads }: Files): Place {
  const place = { directory: record.agent.cwd, outside: record.body.outside === true }
  if (record.host !== caller.host) return place
  return { ...place, ...(realpath ? { realpath } : {}), ...(uploads ? { uploads: uploads(record) } : {}) }
}
