import { eachDeletion } from '../data-deletions.ts'

/** A dangerous call: where its arguments start, and what it would be in a shell (see `run-call.ts`). */
export interface CallPattern {
  /** Ends after the opening bracket. */
  pattern: RegExp
  as: CallKind
  /** The object of a method call counts as its first argument: `Path(x).unlink()`. */
  method?: true
}

/**
 * delete-tree, delete, move, chmod,
 * chown, link, kill                  the program of that purpose
 * delete-listed                      deletes what code before it found: every path that the code names
 * write                              opens a file with a mode
 * open                               Perl's open, whose mode may be part of the name
 * overwrite, truncate                writes to a file, or empties it
 * write-last                         writes to the file that its last argument names
 * shell                              a command line
 * argv                               a program and its arguments
 * exec                               the same, with the program's name twice
 * pipe                               a command line that gets text, which is code if it is a shell
 * rest, delete-rest                  words up to the end of the line, as in Tcl
 * eval, eval-last                    code in the same language
 * sql, delete-data                   databases and clouds
 * http-delete, http-request          a request that deletes; one that does if the code says DELETE
 * dynamic                            runs something that cannot be known
 */
export type CallKind =
  | 'delete-tree'
  | 'delete'
  | 'delete-listed'
  | 'write'
  | 'open'
  | 'overwrite'
  | 'truncate'
  | 'write-last'
  | 'chmod'
  | 'chown'
  | 'link'
  | 'kill'
  | 'move'
  | 'shell'
  | 'argv'
  | 'exec'
  | 'pipe'
  | 'rest'
  | 'delete-rest'
  | 'sql'
  | 'delete-data'
  | 'http-delete'
  | 'http-request'
  | 'eval'
  | 'eval-last'
  | 'dynamic'

export const sql: CallPattern = {
  pattern:
    /\.(?:execute|executemany|executescript|query|raw|exec_driver_sql|\$executeRawUnsafe|\$queryRawUnsafe|unsafe|exec)\s*\((?:\s*(?:text|sql|sa\.text)\s*\()?(?=\s*[rbuf]?«)/g,
  as: 'sql',
}

/** `requests.delete(url)`, `axios.delete(url)`, `fetch(url, { method: 'DELETE' })`; a map's `delete(key)` names no address. */
export const httpDeletes: readonly CallPattern[] = [
  { pattern: /\.delete(?:_async|Async)?\s*[( ](?=\s*[rbuf]?(?:«|\w+\s*[,)]))/g, as: 'http-delete' },
  {
    pattern: /(?:(?<![.\w])(?:fetch|got|ky|undici\.request)|\b(?:requests|httpx)\.request|\bRequest)\s*\(/g,
    as: 'http-request',
  },
]

/** Clients of databases and clouds, whose calls have the same names in every language. */
export const deletesData: CallPattern = { pattern: eachDeletion, as: 'delete-data' }
