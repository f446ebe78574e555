import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { createSandbox, until } from './sandbox.ts'

describe('the commands on PostgreSQL', () => {
  it('work together: ask, answer, need, backup, doctor', async () => {
    const { env, start, run, json, cwd, atEnd } = await createSandbox()
    env.BECKON_DB = await freshDatabase()
    env.BECKON_KEY = Buffer.alloc(32, 5).toString('base64')
    const hub = await openHub({ env: env as NodeJS.ProcessEnv })
    atEnd(() => hub.close())
    const pending = () => until(async () => (await hub.list()).requests[0], 'a pending request')

    const asking = start(['ask', 'Ship it?', '--option', 'yes', '--option', 'no'])
    const question = await pending()
    expect((await run(['answer', question.id, 'yes'])).code).toBe(0)
    expect(await asking.result).toMatchObject({ code: 0, stdout: 'yes\n' })
    expect((await run(['answer', question.id, 'no'])).code).toBe(6)

    const needing = start(['need', 'api_key', 'K', '--description', 'd', '--', 'sh', '-c', 'test "$K" = sk-canary-12'])
    await run(['answer', (await pending()).id, '--from', '-'], { input: 'sk-canary-12\n' })
    expect((await needing.result).code).toBe(0)

    expect((await run(['backup', 'copy.db'])).code).toBe(0)
    const copied = await json(['list', '--all'], { env: { BECKON_DB: join(cwd, 'copy.db') } })
    expect(copied.document.requests).toHaveLength(2)
    expect(await json(['doctor'])).toMatchObject({ code: 0, document: { fine: true } })
  })

  it('show the output of a run on a machine that does not have its files', async () => {
    const { env, run, root, atEnd } = await createSandbox()
    env.BECKON_DB = await freshDatabase()
    env.BECKON_KEY = Buffer.alloc(32, 5).toString('base64')
    const hub = await openHub({ env: env as NodeJS.ProcessEnv })
    atEnd(() => hub.close())
    expect((await run(['run', '--', 'sh', '-c', 'echo one; echo two'])).code).toBe(0)
    const [ended] = await hub.runs.list()
    const elsewhere = { env: { BECKON_HOME: join(root, 'elsewhere') } }
    const { code, stdout } = await run(['runs', 'logs', ended?.id ?? '', '--follow'], elsewhere)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'one\ntwo\n' })
    expect(await hub.logs.read(ended?.id ?? '')).toMatchObject({ final: true, missing: 0, elsewhere: null })
  })

  it('report that a dependency needs the sealing key', async () => {
    const { env, json } = await createSandbox()
    env.BECKON_DB = await freshDatabase()
    const { code, document } = await json(['need', 'api_key', 'K', '--description', 'd'])
    expect({ code, error: document.error.code }).toEqual({ code: 1, error: 'key_missing' })
  })

  it('warn of a connection to another host without TLS, once, on stderr, and doctor says it', async () => {
    const { env, run, root } = await createSandbox()
    const local = await freshDatabase()
    env.BECKON_KEY = Buffer.alloc(32, 5).toString('base64')
    // A name of another host that leads to the server of these tests.
    const names = join(root, 'names.mjs')
    writeFileSync(names, lookupOf('db.example'))
    env.NODE_OPTIONS = `--import=${names}`
    const url = local.replace('127.0.0.1', 'db.example')
    const warning = 'beckon: PostgreSQL on db.example is reached without TLS'
    const remote = await run(['list', '--json'], { env: { BECKON_DB: url } })
    expect(remote).toMatchObject({ code: 0, stderr: expect.stringMatching(/^[^\n]*sslmode=verify-full[^\n]*\n$/) })
    expect(remote.stderr.startsWith(warning)).toBe(true)
    expect(JSON.parse(remote.stdout)).toMatchObject({ requests: [] })
    const doctor = await run(['doctor'], { env: { BECKON_DB: url } })
    expect(doctor).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^BAD +connection .*without TLS/m),
    })
    expect(await run(['list'], { env: { BECKON_DB: url, CLAUDECODE: '1' } })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('TLS'),
    })
    expect(await run(['list'], { env: { BECKON_DB: local } })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('TLS'),
    })
    expect(await run(['doctor'], { env: { BECKON_DB: local } })).toMatchObject({ code: 0 })
  })
})

function lookupOf(name: string): string {
  return `import dns from 'node:dns'
const lookup = dns.lookup
dns.lookup = (host, ...rest) => lookup(host === '${name}' ? '127.0.0.1' : host, ...rest)
`
}
