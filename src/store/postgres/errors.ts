import { BeckonError } from '../../protocol/index.ts'
import { ConnectionLost } from '../connection.ts'

/** Turns an error of the driver into one that a person can act on. The URL may hold a password, so no message repeats it. */
export function translatePostgresError(error: unknown): Error {
  if (error instanceof BeckonError) return error
  if (!(error instanceof Error)) return new BeckonError('unreachable', 'PostgreSQL failed.', null, error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '53100') {
    return new BeckonError(
      'disk_full',
      'The disk of the PostgreSQL server is full. Nothing was stored; make room and try again.',
      null,
      error,
    )
  }
  if (code === '25006') {
    return new BeckonError(
      'read_only',
      'The PostgreSQL server is read-only (a standby?). Nothing was stored.',
      null,
      error,
    )
  }
  if (code === '28P01' || code === '28000') {
    const message =
      'PostgreSQL refused the user or password in BECKON_DB. Check both, and that pg_hba.conf lets this user connect from here.'
    return new BeckonError('unreachable', message, null, error)
  }
  if (code === '3D000') {
    const message =
      'The PostgreSQL database named in BECKON_DB does not exist. Create it (createdb NAME), or correct the name.'
    return new BeckonError('unreachable', message, null, error)
  }
  if (code === '42501') {
    return new BeckonError(
      'unreachable',
      `The PostgreSQL user in BECKON_DB lacks a permission that Beckon needs: ${error.message}.`,
      null,
      error,
    )
  }
  if (code === 'ERR_INVALID_URL') {
    return new BeckonError('unreachable', 'BECKON_DB is not a valid postgres:// address.', null, error)
  }
  if (code === '57014') {
    const message =
      'PostgreSQL stopped a statement that took too long: it waited for another one, or the server is overloaded. Nothing was stored; try again.'
    return new BeckonError('busy', message, null, error)
  }
  if (isConnectionError(error, code)) return new ConnectionLost(error, temporary.test(code))
  return error
}

/** Nothing connects any more: says why, as far as the server did, and what to do. */
export function unreachable(lost: ConnectionLost): BeckonError {
  const reason = lost.cause instanceof Error ? lost.cause : lost
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : 'no connection'
  const message =
    reasons[code] ?? `PostgreSQL cannot be reached (${code}). Check BECKON_DB and that the server is running.`
  return new BeckonError('unreachable', message, null, lost)
}

const full =
  'PostgreSQL has no free connection (too many clients). Every Beckon process uses two; raise max_connections, or the limit of the user or database, or run fewer processes.'
const reasons: Record<string, string> = {
  '53300': full,
  '53400': full,
  '57P03': 'PostgreSQL does not accept connections yet: it is starting, recovering or shutting down. Try again soon.',
}
const temporary = /^(53300|53400|57P03)$/

function isConnectionError(error: Error, code: string): boolean {
  // 08: connection; 57P0x: shutdown or crash of the server; 25P03: we were silent in a transaction for too long; 40:
  // deadlock or serialization, which need a retry too.
  if (/^(08|57P0|25P03|40|53300|53400)/.test(code)) return true
  if (/^E(?!RR_)[A-Z_]+$/.test(code)) return true
  return /connection|timeout|not queryable|closed/i.test(error.message)
}
