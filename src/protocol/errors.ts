// One class for every fault. The code is the contract: cli/ turns it into an exit code, server/ into a status.
export const errorCodes = [
  'invalid', // what was sent is wrong; details lists { path, message }
  'not_found', // no such request or run
  'not_allowed', // this caller, channel or place may not do that
  'key_conflict', // the key was used before with other content
  'not_settled', // used before a person decided
  'not_granted', // used though the outcome is no yes and no value
  'used', // used up already
  'lapsed', // a yes that was not used in time
  'key_missing', // the sealing key is needed and not there
  'wrong_key', // sealed with another key
  'damaged', // the store holds something that cannot be read back
  'busy', // the database stayed locked
  'disk_full',
  'read_only',
  'unreachable', // the database cannot be opened or reached
  'newer_schema', // written by a newer Beckon
  'network_fs', // SQLite on a network file system
  'closed', // the hub was closed meanwhile
  'nobody', // headless and told not to wait
  'unauthenticated', // over HTTP: no token, or one that is no good
  'settled_otherwise', // over HTTP: somebody else was first; details.outcome is theirs
  'too_large', // over HTTP: more bytes, or more levels, than are read
  'too_many', // over HTTP: slow down
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

/** The fault for bad input: one line a person can read, and every problem with the path of its field. */
export function invalid(problems: Problem[]): BeckonError {
  const message = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new BeckonError('invalid', message, problems)
}

// What passes: a database that restarts, a disk on which somebody makes room.
const temporary: readonly ErrorCode[] = ['busy', 'disk_full', 'unreachable', 'too_many']

/** Whether the same call may succeed later, without anybody changing it. */
export function isTemporary(error: unknown): error is BeckonError {
  return error instanceof BeckonError && temporary.includes(error.code)
}
