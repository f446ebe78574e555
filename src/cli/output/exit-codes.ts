import type { ErrorCode } from '../../protocol/errors.ts'
import type { Request } from '../../protocol/request.ts'

// A contract with scripts. An asking command tells the outcome; an answering command tells whether it settled the request.
export const exitCodes = {
  fine: 0,
  invalid: 1,
  notFound: 4,
  notAllowed: 5,
  settledOtherwise: 6,
  declined: 10,
  skipped: 11,
  expired: 12,
  cancelled: 13,
  effectPending: 14,
  nobody: 69,
  noHub: 74,
  pending: 75,
  askedBack: 76,
} as const

/** The exit code of an asking command. */
export function exitCodeOfRequest({ status, outcome }: Pick<Request, 'status' | 'outcome'>): number {
  switch (status) {
    case 'pending':
      return exitCodes.pending
    case 'answered':
    case 'defaulted':
      return exitCodes.fine
    case 'skipped':
      return hasValue(outcome) ? exitCodes.fine : exitCodes.skipped
    case 'declined':
      return exitCodes.declined
    case 'expired':
      return exitCodes.expired
    case 'cancelled':
    case 'orphaned':
      return exitCodes.cancelled
  }
}

/** The exit code of a command that failed. */
export function exitCodeOfError(code: ErrorCode): number {
  switch (code) {
    case 'not_found':
      return exitCodes.notFound
    case 'not_allowed':
      return exitCodes.notAllowed
    case 'settled_otherwise':
      return exitCodes.settledOtherwise
    case 'nobody':
      return exitCodes.nobody
    case 'busy':
    case 'closed':
    case 'damaged':
    case 'disk_full':
    case 'network_fs':
    case 'newer_schema':
    case 'read_only':
    case 'replaced':
    case 'too_many':
    case 'unreachable':
      return exitCodes.noHub
    default:
      return exitCodes.invalid
  }
}

function hasValue(outcome: Request['outcome']): boolean {
  return outcome?.answers.some(({ selected, text }) => selected.length > 0 || text !== null) ?? false
}

export const askingExitCodes = `
Exit codes:
  0   answered, or defaulted or skipped with a value     12  expired
  1   bad input, nothing was asked                       13  cancelled or orphaned
  10  declined                                           69  nobody can be reached
  11  skipped without a value                            75  still pending: the ticket is on stdout
  14  settled, and its effect not carried out (see resume)
  76  still pending, and a person asks back: reply, then wait again (for agents)
  74  the hub cannot be reached or written; the same command again is safe`

export const answeringExitCodes = `
Exit codes:
  0   settled, also if it already had this answer        5   not allowed here (in an agent's shell)
  1   invalid, nothing changed                           6   already settled with another answer
  4   no such request, or not of that run
  74  the hub cannot be reached or written; the same command again is safe`
