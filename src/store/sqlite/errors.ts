import { BeckonError } from '../../protocol/index.ts'

/** Turns an error of SQLite or of the file system into one that a person can act on. */
export function translateSqliteError(error: unknown, file: string): BeckonError {
  if (error instanceof BeckonError) return error
  const code = errorCode(error)
  if (isBusy(error)) {
    return new BeckonError('busy', `Another process kept the database ${file} locked. Try again.`, null, error)
  }
  // On a full disk, the file that SQLite shares between processes cannot grow.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE' || code === 'ENOSPC') {
    return new BeckonError(
      'disk_full',
      `The disk that holds ${file} is full. Nothing was stored; make room and try again.`,
      null,
      error,
    )
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return readOnly(file, error)
  }
  if (isDamage(error)) {
    return new BeckonError(
      'damaged',
      `${file} is not a Beckon database, or it is damaged. Put a backup in its place (beckon restore-database FILE), or name another file in BECKON_DB.`,
      null,
      error,
    )
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new BeckonError(
      'unreachable',
      `The database ${file} cannot be opened: too many files are open (${code}). Raise the limit with ulimit -n.`,
      null,
      error,
    )
  }
  if (code.startsWith('SQLITE') || code.startsWith('E')) {
    return new BeckonError(
      'unreachable',
      `The database ${file} cannot be opened or used (${code}). Check that its folder exists and belongs to you.`,
      null,
      error,
    )
  }
  throw error
}

export function readOnly(file: string, cause: unknown): BeckonError {
  return new BeckonError(
    'read_only',
    `The database ${file} cannot be written: the disk or the file is read-only for this user. Nothing was stored.`,
    null,
    cause,
  )
}

export function isDamage(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
}

export function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY')
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
