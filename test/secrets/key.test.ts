import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BeckonError } from '../../src/protocol/errors.ts'
import { type KeySource, loadKey } from '../../src/secrets/key.ts'
import { createSealer } from '../../src/secrets/seal.ts'

const bytes = Buffer.from('fbff'.repeat(16), 'hex')
let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'beckon-key-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('BECKON_KEY', () => {
  it.each([
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64 without padding', bytes.toString('base64').replace('=', '')],
    ['base64url', bytes.toString('base64url')],
    ['base64 with a newline, as openssl prints it', `${bytes.toString('base64')}\n`],
  ])('is read as %s', async (_, value) => {
    expect(await loadKey({ home: null, env: { BECKON_KEY: value }, create: false })).toEqual(bytes)
  })

  it('is preferred over the file, and creates no file', async () => {
    expect(await loadKey({ home, env: { BECKON_KEY: bytes.toString('hex') }, create: true })).toEqual(bytes)
    expect(await readdir(home)).toEqual([])
  })

  it.each([
    ['too short', 'hunter2hunter2'],
    ['63 hex digits', 'a'.repeat(63)],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64')],
    ['a mistyped last digit', `${bytes.toString('base64url').slice(0, -1)}9`],
    ['a passphrase', 'correct horse battery staple correct horse !'],
  ])('is refused when it is %s, without printing it', async (_, value) => {
    const error = await failure({ home, env: { BECKON_KEY: value }, create: true })
    expect(error.code).toBe('invalid')
    expect(error.message).toContain('openssl rand -base64 32')
    expect(textsIn(error)).not.toContain(value)
    expect(await readdir(home)).toEqual([])
  })

  it.each([undefined, '', ' '])('is required if there is no home folder (%j)', async value => {
    const error = await failure({ home: null, env: { BECKON_KEY: value }, create: true })
    expect(error.code).toBe('key_missing')
    expect(error.message).toContain('BECKON_KEY')
  })
})

describe('the key file', () => {
  it('is created on first use, readable only by its owner, and stays the same', async () => {
    const folder = join(home, 'not', 'there', 'yet')
    const first = await loadKey({ home: folder, env: {}, create: true })
    expect(first).toHaveLength(32)
    expect(await loadKey({ home: folder, env: {}, create: false })).toEqual(first)
    expect(await readdir(folder)).toEqual(['key'])
    expect(await modeOf(join(folder, 'key'))).toBe(0o600)
    expect(await modeOf(folder)).toBe(0o700)
  })

  it('is not created just to open values', async () => {
    const error = await failure({ home, env: {}, create: false })
    expect(error.code).toBe('key_missing')
    expect(error.message).toContain(join(home, 'key'))
    expect(await readdir(home)).toEqual([])
  })

  it('gets its permissions restored if others could read it', async () => {
    const key = await loadKey({ home, env: {}, create: true })
    await chmod(join(home, 'key'), 0o644)
    expect(await loadKey({ home, env: {}, create: false })).toEqual(key)
    expect(await modeOf(join(home, 'key'))).toBe(0o600)
  })

  it.each(['', 'hunter2', 'x'.repeat(5_000)])('is never replaced if it does not contain a key', async content => {
    await writeFile(join(home, 'key'), content, { mode: 0o600 })
    const error = await failure({ home, env: {}, create: true })
    expect(error.code).toBe('damaged')
    if (content) expect(textsIn(error)).not.toContain(content)
    expect(await readFile(join(home, 'key'), 'utf8')).toBe(content)
  })

  it('fails with a BeckonError if the home is not a folder', async () => {
    await writeFile(join(home, 'file'), '')
    expect(await failure({ home: join(home, 'file'), env: {}, create: true })).toBeInstanceOf(BeckonError)
  })

  it('is the same key for 20 processes that create it at the same moment', { timeout: 60_000 }, async () => {
    const children = Array.from({ length: 20 }, () => startLoader(home))
    await Promise.all(children.map(child => once(child.stdout, 'readable')))
    const outputs = children.map(child => text(child.stdout))
    const exits = children.map(child => once(child, 'exit'))
    for (const child of children) child.stdin.end()

    expect((await Promise.all(exits)).map(([code]) => code)).toEqual(children.map(() => 0))
    const fingerprints = new Set(await Promise.all(outputs))
    const { fingerprint } = createSealer(await loadKey({ home, env: {}, create: false }))
    expect([...fingerprints]).toEqual([`ready\n${fingerprint}`])
    expect(await readdir(home)).toEqual(['key'])
  })
})

function startLoader(folder: string): ChildProcessByStdio<Writable, Readable, null> {
  const fixture = fileURLToPath(new URL('fixtures/load-key.ts', import.meta.url))
  return spawn(process.execPath, [fixture, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function failure(source: KeySource): Promise<BeckonError> {
  const error = await loadKey(source).catch(error => error)
  expect(error).toBeInstanceOf(BeckonError)
  return error
}

function textsIn(error: BeckonError): string {
  return [error.message, error.stack, JSON.stringify(error.details), String(error.cause)].join('\n')
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}
