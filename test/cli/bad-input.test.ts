import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { launcher, sandbox } from './sandbox.ts'

const long = (length: number) => 'x'.repeat(length)

// What is wrong, the arguments, what the one line says, and what stdin brings.
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
  ['a default that is no option', ['ask', 'x', '--option', 'a', '--default', 'b'], /--default: .*one of: a/],
  [
    'two defaults for one choice',
    ['ask', 'x', '--option', 'a', '--option', 'b', '--default', 'a', '--default', 'b'],
    /--default: Only one/,
  ],
  ['an unknown category', ['ask', 'x', '--category', 'other'], /Allowed choices are business/],
  ['a timeout that is none', ['ask', 'x', '--timeout', 'soon'], /--timeout is not a duration/],
  ['an empty timeout', ['ask', 'x', '--timeout', ''], /--timeout is not a duration/],
  ['a negative timeout', ['ask', 'x', '--timeout', '-5s'], /--timeout is not a duration/],
  ['a timeout of nothing', ['ask', 'x', '--timeout', '0s'], /--timeout must be longer than zero/],
  ['a timeout of ages', ['ask', 'x', '--timeout', '99999d'], /--timeout is longer than ten years/],
  ['an endless timeout', ['ask', 'x', '--timeout', `${long(400).replaceAll('x', '9')}s`], /--timeout is longer/],
  ['an unknown policy', ['ask', 'x', '--on-timeout', 'wait'], /Allowed choices are default, fail, remind/],
  [
    'a default policy without a default',
    ['ask', 'x', '--on-timeout', 'default'],
    /: --on-timeout default needs --default VALUE\.$/m,
  ],
  ['an unknown --no-human', ['ask', 'x', '--no-human', 'maybe'], /Allowed choices are fail, park/],
  ['a key over the cap', ['ask', 'x', '--key', long(501)], /--key is too long/],
  ['a context that is not there', ['ask', 'x', '--context', 'nowhere.md'], /--context: nowhere\.md cannot be read/],
  ['a context with a NUL byte', ['ask', 'x', '--context', '-'], /--context contains a NUL byte/, 'a\0b'],
  [
    'a context with half a surrogate',
    ['ask', 'x', '--context', '-'],
    /--context: stdin is not UTF-8/,
    Buffer.from('eda080', 'hex'),
  ],
  [
    'a context that is no text',
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
  it.each(badAsks)('%s gets one line and stores nothing', async (_, args, reason, input) => {
    const { json, hub } = await sandbox()
    const { code, stderr, document } = await json(args, input === undefined ? {} : { input })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^beckon: [^\n]+\n$/)
    expect(stderr).toMatch(reason)
    expect(document).toEqual({
      error: { code: expect.any(String), message: expect.any(String), details: document.error.details },
    })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('does not even open a database for it, nor for help', async () => {
    const { run, root } = await sandbox()
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

  it('is told of a bad BECKON_WAIT', async () => {
    const { run } = await sandbox()
    const { code, stderr } = await run(['ask', 'x'], { env: { BECKON_WAIT: 'long' } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('BECKON_WAIT is not a duration') })
  })

  it('never shows a stack trace, unless it is asked for', async () => {
    const { run } = await sandbox()
    expect((await run(['show', 'req_1'])).stderr).toBe('beckon: There is no request req_1.\n')
    expect((await run(['show', 'req_1'], { env: { BECKON_DEBUG: '1' } })).stderr).toContain('    at ')
  })
})

describe('a database that cannot be used', () => {
  it('is named: a server that is not there', async () => {
    const { json } = await sandbox()
    const env = { BECKON_DB: 'postgres://nobody@127.0.0.1:9/none' }
    const { code, document, stderr } = await json(['ask', 'x'], { env })
    expect({ code, error: document.error.code }).toEqual({ code: 1, error: 'unreachable' })
    expect(stderr).toMatch(/^beckon: [^\n]+\n$/)
  })

  it('is named: a hub over HTTP that is not there, or that needs a token', async () => {
    const { json } = await sandbox()
    const env = { BECKON_URL: 'http://127.0.0.1:9' }
    const without = await json(['ask', 'x'], { env })
    expect(without).toMatchObject({ code: 1, document: { error: { code: 'unauthenticated' } } })
    const away = await json(['ask', 'x'], { env: { ...env, BECKON_TOKEN: 't' } })
    expect(away).toMatchObject({ code: 1, document: { error: { code: 'unreachable' } } })
    expect(away.stderr).toMatch(/^beckon: The hub at http:\/\/127\.0\.0\.1:9 cannot be reached.*\n$/)
  })

  it('is named: a file of a newer version, of another program, or of none', async () => {
    const { json, cwd, hub, ask, home } = await sandbox()
    await ask({ questions: [{ question: 'One?' }] })
    await hub.close()
    const newer = new Database(join(home, 'beckon.db'))
    newer.pragma('user_version = 9999')
    newer.close()
    expect(await json(['ask', 'x'])).toMatchObject({ code: 1, document: { error: { code: 'newer_schema' } } })
    const foreign = new Database(join(cwd, 'foreign.db'))
    foreign.exec('create table other (x)')
    foreign.close()
    writeFileSync(join(cwd, 'text.db'), 'not a database at all, but long enough to be read as one '.repeat(50))
    for (const file of ['foreign.db', 'text.db']) {
      const { code, document } = await json(['ask', 'x'], { env: { BECKON_DB: join(cwd, file) } })
      expect({ file, code, error: document.error.code }).toEqual({ file, code: 1, error: 'damaged' })
    }
  })

  it('is named: a place where no folder can be made', async () => {
    const { json, cwd } = await sandbox()
    writeFileSync(join(cwd, 'file'), '')
    const { code, document } = await json(['ask', 'x'], { env: { BECKON_HOME: join(cwd, 'file', 'home') } })
    expect({ code, error: document.error.code }).toEqual({ code: 1, error: 'unreachable' })
  })

  it.runIf(process.platform === 'linux')('is named: a place that is read-only, for root too', async () => {
    const { json } = await sandbox()
    const { code, document } = await json(['ask', 'x'], { env: { BECKON_HOME: '/sys/beckon' } })
    expect({ code, error: document.error.code }).toEqual({ code: 1, error: 'read_only' })
  })
})

describe('what is taken for something else', () => {
  it.each(['mysql://host/db', 'http://host/db'])('the address %s is not made a file of', async address => {
    const { run, cwd } = await sandbox()
    const { code, stderr } = await run(['ask', 'x', '--async'], { env: { BECKON_DB: address } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^beckon: .*not supported.*\n$/) })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('bytes that are no UTF-8 are not stored as something else', async () => {
    const { env, cwd, hub } = await sandbox()
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
