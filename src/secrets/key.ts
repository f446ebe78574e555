import { randomBytes } from 'node:crypto'
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError, invalid } from '../protocol/errors.ts'

export interface KeySource {
  /** Where the key file lives; null when the store is no folder of ours (PostgreSQL). */
  home: string | null
  env: Record<string, string | undefined>
  /** Whether a missing file may be made: true to seal, false to open what was sealed before. */
  create: boolean
}

const keyLength = 32
const howToMake = 'make one with: openssl rand -base64 32'

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
    throw new BeckonError('key_missing', `${path} is missing; values sealed with it can be opened only once it is back`)
  }
  const key = found ?? (await makeKeyFile(home, path))
  // Even when another process made the file: nothing may be sealed with a key that a power cut can take back.
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
  // The last digit carries two spare bits; a text that sets them is not what any tool printed, so it was mistyped.
  return key.toString('base64url') === toBase64Url(source) ? key : null
}

function toBase64Url(source: string): string {
  return source.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r').catch(error => {
    if (error.code === 'ENOENT') return null
    throw fault(error, path)
  })
  if (!file) return null
  try {
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await file.chmod(0o600)
    const key = size <= 1_000 ? parseKey((await file.readFile('utf8')).trim()) : null
    if (key) return key
  } catch (error) {
    throw fault(error, path)
  } finally {
    await file.close()
  }
  throw new BeckonError('damaged', `${path} does not hold a sealing key; put the right file back from a backup`)
}

// Written aside and linked into place: whoever sees the name sees a whole key, and the first link wins for all.
async function makeKeyFile(home: string, path: string): Promise<Buffer> {
  const aside = join(home, `key.${process.pid}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    const key = randomBytes(keyLength)
    try {
      await writeDurably(aside, `${key.toString('base64')}\n`)
      await link(aside, path)
      return key
    } finally {
      await unlink(aside).catch(() => {})
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fault(error, path)
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
  // Windows cannot open a folder, and keeps names durable by itself.
  if (process.platform === 'win32') return
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    throw fault(error, join(folder, 'key'))
  }
}

function fault(error: unknown, path: string): BeckonError {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BeckonError('disk_full', `There is no room left to write the sealing key ${path}`)
    case 'EROFS':
      return new BeckonError('read_only', `The sealing key ${path} cannot be written: the file system is read-only`)
    case 'EACCES':
    case 'EPERM':
      return new BeckonError(
        'not_allowed',
        `The sealing key ${path} must be this user's own file, mode 0600, in a folder it may write to`,
      )
    default:
      return new BeckonError('key_missing', `The sealing key ${path} cannot be used: ${codeOf(error)}`, null, error)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
