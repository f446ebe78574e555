import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher } from './sandbox.ts'

const long = (length: number) => 'x'.repeat(length)

// The fault, the arguments, the expected message, and stdin.
const badAsks: [string, string[], RegExp, (string | Buffer)?][] = [
  ['no text', ['ask'], /missing required argument 'text'/],
  ['an empty text', ['ask', ' '], /TEXT must not be empty\./],
  ['two texts', ['ask', 'Ship', 'it?'], /too many arguments.*quote/],
  ['a text over the cap', ['ask', long(10_001)], /TEXT is too long: 10001 characters, at most 10000\./],
  ['a header over the cap', ['ask', 'x', '--header', long(201)], /--header is too long/],
  ['a header of two lines', ['ask', 'x', '--header', 'a\nb'], /--header must be a single line/],
  ['a label over the cap', ['ask', 'x', '--option', long(1_001)], /--option number 1 is too long/],
  ['an empty label', ['ask', 'x', '--option', '=about'], /--option number 1 must not be empty/],
  ['the same option twice', ['ask', 'x', '--option', 'a', '--option', 'a=b'], /--option number 2 is offered twice/],
  ['--multi without options', ['ask', 'x', '--multi'], /--multi needs options/],
  ['a default that is not an option', ['ask', 'x', '--option', 'a', '--default', 'b'], /--default: .*one of: a/],
  [
    'two defaults for one choice',
    ['ask', 'x', '--option', 'a', '--option', 'b', '--default', 'a', '--default', 'b'],
    /--default: Only one/,
  ],
  ['an unknown category', ['ask', 'x', '--category', 'other'], /Allowed choices are business/],
  ['an invalid timeout', ['ask', 'x', '--timeout', 'soon'], /--timeout is not a duration/],
  ['an empty timeout', ['ask', 'x', '--timeout', ''], /--timeout is not a duration/],
  ['a negative timeout', ['ask', 'x', '--timeout', '-5s'], /--timeout is not a duration/],
  ['a timeout without a unit', ['ask', 'x', '--timeout', '90'], /--timeout needs a unit: 90s for seconds, 90m for min/],
  ['a timeout of zero', ['ask', 'x', '--timeout', '0s'], /--timeout must be longer than zero/],
  ['a timeout of 270 years', ['ask', 'x', '--timeout', '99999d'], /--timeout is longer than ten years/],
  ['an endless timeout', ['ask', 'x', '--timeout', `${long(400).replaceAll('x', '9')}s`], /--timeout is longer/],
  ['an unknown policy', ['ask', 'x', '--on-timeout', 'wait'], /Allowed choices are default, fail, remind/],
  [
    'a default policy without a default',
    ['ask', 'x', '--on-timeout', 'default'],
    /: --on-timeout default needs --default VALUE\.$/m,
  ],
  ['an unknown --no-human', ['ask', 'x', '--no-human', 'maybe'], /Allowed choices are fail, park/],
  ['a key over the cap', ['ask', 'x', '--key', long(501)], /--key is too long/],
  ['a missing context file', ['ask', 'x', '--context', 'nowhere.md'], /--context: nowhere\.md cannot be read/],
  ['a context with a NUL byte', ['ask', 'x', '--context', '-'], /--context contains a NUL byte/, 'a\0b'],
  [
    'a context with a lone surrogate',
    ['ask', 'x', '--context', '-'],
    /--context: stdin is not UTF-8/,
    Buffer.from('eda080', 'hex'),
  ],
  [
    'a context that is not text',
    ['ask', 'x', '--context', '-'],
    /--context: stdin is not UTF-8/,
    Buffer.from('ff00fe', 'hex'),
  ],
  ['a context over the cap', ['ask', 'x', '--context', '-'], /--context is too long/, long(1_000_001)],
  ['a context far over the cap', ['ask', 'x', '--context', '-'], /--context is too long/, long(5_000_000)],
  ['an unknown flag', ['ask', 'x', '--frobnicate'], /unknown option '--frobnicate'/],
  ['a flag without its value', ['ask', 'x', '--key'], /argument missing/],
  ['an unknown command', ['aks', 'x'], /unknown command 'aks'.*Did you mean ask/],
]

describe('bad input', () => {
  it.each(badAsks)('%s prints one line and stores nothing', async (_, args, reason, input) => {
    const { json, hub } = await createSandbox()
    const { code, stderr, document } = await json(args, input === undefined ? {} : { input })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^beckon: [^\n]+\n$/)
    expect(stderr).toMatch(reason)
    expect(document).toEqual({
      error: { code: expect.any(String), message: expect.any(String), details: document.error.details },
    })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('does not create a database, nor does help', async () => {
    const { run, root } = await createSandbox()
    const env = { BECKON_HOME: join(root, 'fresh') }
    for (const args of [
      ['--help'],
      ['ask', '--help'],
      ['--version'],
      ['ask', 'x', '--timeout', '-1'],
      ['ask', ' '],
      ['nope'],
    ]) {
      await run(args, { env })
      expect(existsSync(env.BECKON_HOME)).toBe(false)
    }
  })

  it('in BECKON_WAIT is reported', async () => {
    const { run } = await createSandbox()
    const { code, stderr } = await run(['ask', 'x'], { env: { BECKON_WAIT: 'long' } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('BECKON_WAIT is not a duration') })
  })

  it('prints a stack trace only with BECKON_DEBUG', async () => {
    const { run } = await createSandbox()
    expect((await run(['show', 'req_1'])).stderr).toBe(
      'beckon: There is no request req_1. To see which there are: beckon list --all\n',
    )
    expect((await run(['show', 'req_1'], { env: { BECKON_DEBUG: '1' } })).stderr).toContain('    at ')
  })
})

describe('an unusable database is reported:', () => {
  it('a server that cannot be reached', async () => {
    const { json } = await createSandbox()
    const env = { BECKON_DB: 'postgres://nobody@127.0.0.1:9/none' }
    const { code, document, stderr } = await json(['ask', 'x'], { env })
    expect({ code, error: document.error.code }).toEqual({ code: 74, error: 'unreachable' })
    expect(stderr).toMatch(/^beckon: [^\n]+\n$/)
  })

  it('a hub over HTTP that cannot be reached, or that needs a token', async () => {
    const { json } = await createSandbox()
    const env = { BECKON_URL: 'http://127.0.0.1:9' }
    const without = await json(['ask', 'x'], { env })
    expect(without).toMatchObject({ code: 1, document: { error: { code: 'unauthenticated' } } })
    const away = await json(['ask', 'x'], { env: { ...env, BECKON_TOKEN: 't' } })
    expect(away).toMatchObject({ code: 74, document: { error: { code: 'unreachable' } } })
    expect(away.stderr).toMatch(/^beckon: The hub at http:\/\/127\.0\.0\.1:9 cannot be reached.*\n$/)
  })

  it('an address in BECKON_URL that is not of a hub, and nothing is stored on this machine instead', async () => {
    const { run, hub } = await createSandbox()
    const page = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
    await once(page, 'listening')
    const { port } = page.address() as AddressInfo
    try {
      for (const BECKON_URL of [`127.0.0.1:${port}`, 'ftp://127.0.0.1', 'foo']) {
        const env = { BECKON_URL, BECKON_TOKEN: 'x' }
        const stderr = expect.stringMatching(/BECKON_URL must begin with http:\/\/ or https:\/\//)
        expect(await run(['ask', 'x', '--async'], { env })).toMatchObject({ code: 1, stderr })
      }
      const env = { BECKON_URL: `http://127.0.0.1:${port}`, BECKON_TOKEN: 'x' }
      expect(await run(['list'], { env })).toMatchObject({ code: 74, stderr: expect.stringMatching(/Is it a hub\?/) })
    } finally {
      page.close()
    }
    expect((await hub.list()).requests).toEqual([])
  })

  it('a file of a newer version, of another program, or one that is not a database', async () => {
    const { json, cwd, hub, ask, home } = await createSandbox()
    await ask({ questions: [{ question: 'One?' }] })
    await hub.close()
    const newer = new Database(join(home, 'beckon.db'))
    newer.pragma('user_version = 9999')
    newer.close()
    expect(await json(['ask', 'x'])).toMatchObject({ code: 74, document: { error: { code: 'newer_schema' } } })
    const foreign = new Database(join(cwd, 'foreign.db'))
    foreign.exec('create table other (x)')
    foreign.close()
    writeFileSync(join(cwd, 'text.db'), 'not a database at all, but long enough to be read as one '.repeat(50))
    for (const file of ['foreign.db', 'text.db']) {
      const { code, document } = await json(['ask', 'x'], { env: { BECKON_DB: join(cwd, file) } })
      expect({ file, code, error: document.error.code }).toEqual({ file, code: 74, error: 'damaged' })
    }
  })

  it('a path where no folder can be created', async () => {
    const { json, cwd } = await createSandbox()
    writeFileSync(join(cwd, 'file'), '')
    const { code, document } = await json(['ask', 'x'], { env: { BECKON_HOME: join(cwd, 'file', 'home') } })
    expect({ code, error: document.error.code }).toEqual({ code: 74, error: 'unreachable' })
  })

  it.runIf(process.platform === 'linux')('a path that is read-only even for root', async () => {
    const { json } = await createSandbox()
    const { code, document } = await json(['ask', 'x'], { env: { BECKON_HOME: '/sys/beckon' } })
    expect({ code, error: document.error.code }).toEqual({ code: 74, error: 'read_only' })
  })
})

describe('beckon ask', () => {
  it.each(['mysql://host/db', 'http://host/db'])('refuses the address %s instead of creating a file', async address => {
    const { run, cwd } = await createSandbox()
    const { code, stderr } = await run(['ask', 'x', '--async'], { env: { BECKON_DB: address } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^beckon: .*not supported.*\n$/) })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('refuses arguments that are not UTF-8 instead of storing replacement characters', async () => {
    const { env, cwd, hub } = await createSandbox()
    const script = `"$1" "$2" ask $'bad\\xff\\xfetext' --async`
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, launcher], {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'beckon: argument 2 is not valid UTF-8.\n' })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })
})
