// One class for every fault. The code is the contract: cli/ turns it into an exit code, server/ into a status.
export const errorCodes = [
  'invalid', // the input is wrong; details lists { path, message }
  'not_found', // no such request or run
  'not_allowed', // this caller, channel or directory may not do that
  'key_conflict', // the key was used before with other content
  'not_settled', // used before a person decided
  'not_granted', // used although the outcome is neither a yes nor a value
  'used', // already used
  'lapsed', // a yes that was not used in time
  'key_missing', // the sealing key is needed and was not found
  'wrong_key', // sealed with another key
  'damaged', // the store contains something that cannot be read
  'busy', // the database stayed locked
  'in_use', // another process has it open
  'changed', // somebody else changed it meanwhile
  'timed_out', // git, or a process that was to end, took too long
  'disk_full',
  'read_only',
  'replaced', // the database file was deleted or replaced while it was open
  'unreachable', // the database cannot be opened or reached
  'newer_schema', // written by a newer Beckon
  'network_fs', // SQLite on a network file system
  'closed', // the hub was closed in the meantime
  'nobody', // there is no terminal, and the caller does not want to wait
  'unauthenticated', // over HTTP: no token, or an invalid one
  'settled_otherwise', // over HTTP: somebody else was first; details.outcome is theirs
  'too_large', // over HTTP: more bytes, or more levels of nesting, than the limit
  'too_many', // over HTTP: slow down
  'cursor_gone', // events after this cursor were deleted; details.oldest is the oldest that works
  'unsupported',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export interface Problem {
  path: string
  message: string
}

export class BeckonError extends Error {
  readonly code: ErrorCode
  readonly details: unknown

  constructor(code: ErrorCode, message: string, details: unknown = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'BeckonError'
    this.code = code
    this.details = details
  }
}

/** The error for bad input: one line for people, and every problem with the path of its field. */
export function invalid(problems: Problem[]): BeckonError {
  const message = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new BeckonError('invalid', message, problems)
}

// What passes: a database that restarts, a disk on which somebody makes room, a process that is slow to end.
const temporary: readonly ErrorCode[] = ['busy', 'changed', 'disk_full', 'timed_out', 'too_many', 'unreachable']

/** Whether the same call may succeed later, without anybody changing it. */
export function isTemporary(error: unknown): error is BeckonError {
  return error instanceof BeckonError && temporary.includes(error.code)
}

/** Whether somebody else was first. A server of an earlier version says `busy` over HTTP. */
export function isChanged(error: unknown): boolean {
  return error instanceof BeckonError && ['changed', 'busy'].includes(error.code)
}
