import type { FileContext, FileKind } from '../rules/dependency-value.ts'
import type { RequestRecord } from '../store/records.ts'

/** The machine of the hub, and what the hub can see of its files. */
export interface HostFiles {
  host: string
  /** The path with its symbolic links resolved; null where nothing has that name. */
  realpath(path: string): string | null
  /** What is at the path; null where there is nothing. */
  kindOf(path: string): FileKind | null
  /** The folder for files that people upload for a request. */
  uploads(request: { run: string | null; id: string }): string
}

/**
 * Paths are looked up only for an asker on the hub's own machine, wherever the answer comes from. For an asker on another
 * machine, or over HTTP, where only the asker knows its machine, the path is judged as it is written.
 */
export function fileContextOf(record: RequestRecord, files: HostFiles | null): FileContext {
  const context = { directory: record.agent.cwd, outside: record.body.outside === true }
  if (files === null || record.host !== files.host) return context
  const { realpath, kindOf, uploads } = files
  return { ...context, realpath, kindOf, uploads: uploads(record) }
}
