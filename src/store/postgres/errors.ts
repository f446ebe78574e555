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
    return new BeckonError('unreachable', 'PostgreSQL refused the user or password in BECKON_DB.', null, error)
  }
  if (code === '3D000') {
    return new BeckonError('unreachable', 'The PostgreSQL database named in BECKON_DB does not exist.', null, error)
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
  if (isConnectionError(error, code)) return new ConnectionLost(error)
  return error
}

function isConnectionError(error: Error, code: string): boolean {
  // 08: connection; 57P0x: shutdown or crash of the server; 40: deadlock or serialization, which need a retry too.
  if (/^(08|57P0|40|53300)/.test(code)) return true
  if (/^E(?!RR_)[A-Z_]+$/.test(code)) return true
  return /connection|timeout|not queryable|closed/i.test(error.message)
}
