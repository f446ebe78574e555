import type { FileContext } from '../rules/dependency-value.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Caller } from './caller.ts'

/** What the hub knows about the files of its host. */
export interface HostFiles {
  /** The path with its symbolic links resolved; null where nothing has that name. */
  realpath?: (path: string) => string | null
  /** The folder for files that people upload for a request. */
  uploads?: (request: { run: string | null; id: string }) => string
}

/** Links can only be resolved on the agent's own host; elsewhere the path is judged as it is written. */
export function fileContextOf(record: RequestRecord, caller: Caller, { realpath, uploads }: HostFiles): FileContext {
  const context = { directory: record.agent.cwd, outside: record.body.outside === true }
  if (record.host !== caller.host) return context
  return { ...context, ...(realpath ? { realpath } : {}), ...(uploads ? { uploads: uploads(record) } : {}) }
}
