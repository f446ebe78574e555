import { randomBytes } from 'node:crypto'
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError, invalid } from '../protocol/errors.ts'

export interface KeySource {
  /** The folder of the key file; null when there is none, as with PostgreSQL. */
  home: string | null
  env: Record<string, string | undefined>
  /** Whether a missing file may be created: true to seal, false to open what was sealed before. */
  create: boolean
}

export const keyLength = 32
const howToMake = 'create one with: openssl rand -base64 32'

/** The 32 bytes that all sealing derives from: `BECKON_KEY`, or the file `key` in the home folder. */
export async function loadKey({ home, env, create }: KeySource): Promise<Buffer> {
  const given = env.BECKON_KEY?.trim()
  if (given) return parseGivenKey(given)
  if (home === null) {
    throw new BeckonError('key_missing', `PostgreSQL needs the sealing key in BECKON_KEY; ${howToMake}`)
  }
  const path = join(home, 'key')
  const found = await readKeyFile(path)
  if (!found && !create) {
    throw new BeckonError(
      'key_missing',
      `${path} is missing. Restore it from a backup: values sealed with it cannot be opened without it`,
    )
  }
  const key = found ?? (await makeKeyFile(home, path))
  // Even if another process made the file: nothing may be sealed with a key that a power cut could undo.
  if (create) await syncFolder(home)
  return key
}

function parseGivenKey(given: string): Buffer {
  const key = parseKey(given)
  if (key) return key
  throw invalid([{ path: 'BECKON_KEY', message: `must be 32 bytes as 64 hex digits or as base64; ${howToMake}` }])
}

function parseKey(source: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(source)) return Buffer.from(source, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(source)) return null
  const key = Buffer.from(source, 'base64')
  // The last digit has two spare bits. No tool sets them, so a text that does was mistyped.
  return key.toString('base64url') === toBase64Url(source) ? key : null
}

function toBase64Url(source: string): string {
  return source.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r').catch(error => {
    if (error.code === 'ENOENT') return null
    throw translateError(error, path)
  })
  if (!file) return null
  try {
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await file.chmod(0o600)
    const key = size <= 1_000 ? parseKey((await file.readFile('utf8')).trim()) : null
    if (key) return key
  } catch (error) {
    throw translateError(error, path)
  } finally {
    await file.close()
  }
  throw new BeckonError('damaged', `${path} does not contain a sealing key. Restore the right file from a backup`)
}

// Written to another name and linked into place: a reader finds a complete key or none, and the first link wins for all.
async function makeKeyFile(home: string, path: string): Promise<Buffer> {
  const temporary = join(home, `key.${process.pid}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    const key = randomBytes(keyLength)
    try {
      await writeDurably(temporary, `${key.toString('base64')}\n`)
      await link(temporary, path)
      return key
    } finally {
      await unlink(temporary).catch(() => {})
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw translateError(error, path)
  }
  const theirs = await readKeyFile(path)
  if (!theirs) throw new BeckonError('key_missing', `${path} was removed while it was being made; try again`)
  return theirs
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync for a name to be durable.
  if (process.platform === 'win32') return
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    throw translateError(error, join(folder, 'key'))
  }
}

function translateError(error: unknown, path: string): BeckonError {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BeckonError('disk_full', `The disk is full: the sealing key ${path} cannot be written`)
    case 'EROFS':
      return new BeckonError('read_only', `The sealing key ${path} cannot be written: the file system is read-only`)
    case 'EACCES':
    case 'EPERM':
      return new BeckonError(
        'not_allowed',
        `The sealing key ${path} must be this user's own file, mode 0600, in a folder it may write to`,
      )
    default:
      return new BeckonError('key_missing', `The sealing key ${path} cannot be used: ${errorCode(error)}`, null, error)
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
