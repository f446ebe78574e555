import { BeckonError, type ErrorCode, type Settlement } from '../protocol/index.ts'

const statuses: Record<ErrorCode, number> = {
  invalid: 422,
  not_found: 404,
  not_allowed: 403,
  key_conflict: 409,
  not_settled: 409,
  not_granted: 409,
  used: 409,
  lapsed: 410,
  settled_otherwise: 409,
  unauthenticated: 401,
  too_large: 413,
  too_many: 429,
  key_missing: 500,
  wrong_key: 500,
  damaged: 500,
  busy: 503,
  in_use: 409,
  changed: 409,
  timed_out: 504,
  disk_full: 507,
  read_only: 503,
  replaced: 503,
  unreachable: 503,
  newer_schema: 503,
  network_fs: 500,
  closed: 503,
  nobody: 409,
  cursor_gone: 410,
  unsupported: 501,
}

// After these nobody can give an answer any more.
const gone = ['cancelled', 'expired', 'orphaned']

/** A fault that knows its status better than its code does. */
export class HttpFault extends BeckonError {
  readonly status: number

  constructor(status: number, code: ErrorCode, message: string, details: unknown = null) {
    super(code, message, details)
    this.status = status
  }
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: { error: { code: string; message: string; details: unknown } }
}

/** The one place where a fault becomes a status. Unexpected errors are described in the log only. */
export function replyTo(error: unknown): Reply {
  if (!(error instanceof BeckonError)) {
    const message = 'Something went wrong. The log of the server has the details.'
    return { status: 500, headers: {}, body: { error: { code: 'damaged', message, details: null } } }
  }
  const { code, details } = error
  const status = error instanceof HttpFault ? error.status : statuses[code]
  const message = storeFaults.includes(code)
    ? `The hub cannot use its store (${code}). The log of the server has the details.`
    : error.message
  return { status, headers: headersFor(error, status), body: { error: { code, message, details } } }
}

// Their messages name files and databases, which are the business of the operator alone.
const storeFaults: ErrorCode[] = [
  'key_missing',
  'wrong_key',
  'damaged',
  'busy',
  'disk_full',
  'read_only',
  'replaced',
  'unreachable',
  'newer_schema',
  'network_fs',
]

/** Somebody else settled it first. */
export function lostRace({ request }: Settlement): HttpFault {
  const { id, status, outcome } = request
  const message = `${id} is settled already: ${status} by ${outcome?.by} (${outcome?.channel}) at ${outcome?.at}.`
  return new HttpFault(gone.includes(status) ? 410 : 409, 'settled_otherwise', message, { outcome, request })
}

/** The path exists, but not with this method. */
export class WrongMethod extends HttpFault {
  readonly allow: string

  constructor(method: string, path: string, allow: string) {
    super(405, 'not_allowed', `${path} accepts ${allow}, not ${method}.`)
    this.allow = allow
  }
}

function headersFor(error: BeckonError, status: number): Record<string, string> {
  if (error instanceof WrongMethod) return { allow: error.allow }
  if (status === 401) return { 'www-authenticate': 'Bearer' }
  if (status === 429 || status === 503) return { 'retry-after': retryAfter() }
  return {}
}

// When a server stops, thousands of waiting callers are told at the same moment: they come back one after another.
const longestRetry = 5

/** Whole seconds, as the header wants them. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * longestRetry))
}
