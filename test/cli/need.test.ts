import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, until } from './sandbox.ts'

const secret = 'sk-canary-31337'
const need = ['need', 'api_key', 'STRIPE_KEY', '--description', 'a test key']

describe('beckon need', () => {
  it('runs the command with the value in its environment, and exits with its code', async () => {
    const { start, run, pending, hub } = await createSandbox()
    const script = 'printf %s "$STRIPE_KEY" | od -An -c | tr -d " \\n"; exit 7'
    const needing = start([...need, '--', 'sh', '-c', script])
    const { id } = await pending()
    await run(['answer', id, '--from', '-'], { input: `${secret}\n` })
    expect(await needing.result).toEqual({ code: 7, stdout: secret, stderr: '' })
    expect(await hub.get(id)).toMatchObject({ usedAt: expect.any(String), deliveredAt: expect.any(String) })
  })

  it("prints one JSON document with --json, and sends the command's output to stderr", async () => {
    const { start, run, pending } = await createSandbox()
    const needing = start([...need, '--json', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3'])
    const { id } = await pending()
    await run(['answer', id, '--from', '-'], { input: secret })
    const { code, stdout, stderr } = await needing.result
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'out\nerr\n' })
    expect(JSON.parse(stdout)).toEqual({
      id,
      status: 'answered',
      value: null,
      answers: [],
      reference: id.replace('req_', 'ref_'),
      by: 'person',
      channel: 'cli',
      at: expect.any(String),
      note: null,
      reason: null,
      exitCode: 3,
    })
  })

  it('joins the open request after exit code 75, and uses the value once', async () => {
    const { run, pending } = await createSandbox()
    const again = [...need, '--', 'sh', '-c', 'test "$STRIPE_KEY" = sk-canary-31337']
    const impatient = { env: { BECKON_WAIT: '0s' } }
    expect((await run(again, impatient)).code).toBe(75)
    expect((await run(again, impatient)).code).toBe(75)
    const { id } = await pending()
    await run(['answer', id, '--from', '-'], { input: secret })
    expect(await run(['wait', id])).toMatchObject({ code: 14, stdout: `${id.replace('req_', 'ref_')}\n` })
    expect((await run(again, impatient)).code).toBe(0)
    const anew = await run(again, impatient)
    expect(anew.code).toBe(75)
    expect(JSON.parse(anew.stdout).id).not.toBe(id)
  })

  it('prints the reference of a secret without a command, and --ref opens it', async () => {
    const { run, pending, hub } = await createSandbox()
    await run([...need, '--async'])
    const { id } = await pending()
    await hub.answer(id, { value: secret })
    const reference = id.replace('req_', 'ref_')
    expect(await run(need)).toMatchObject({ code: 0, stdout: `${reference}\n` })
    expect((await hub.get(id)).usedAt).toBeNull()
    const open = ['need', 'api_key', 'OTHER', '--ref', reference]
    expect((await run(open)).code).toBe(1)
    expect((await run([...open, '--', 'sh', '-c', 'test "$OTHER" = sk-canary-31337'])).code).toBe(0)
    expect(await run([...open, '--', 'true'])).toMatchObject({ code: 1, stderr: expect.stringContaining('used') })
  })

  it('lets an agent open a secret of its own run repeatedly, and of no other run', async () => {
    const { run, hub, cwd } = await createSandbox()
    // The commands of this test descend from its own process.
    const mine = await hub.runs.start({ command: ['agent'], cwd, pid: process.pid })
    const other = await hub.runs.start({ command: ['agent'], cwd })
    const env = { BECKON_RUN: mine.id }
    for (const _ of [1, 2]) expect((await run(await opening(mine.id), { env })).code).toBe(0)
    const ofOther = await opening(other.id)
    expect((await run(ofOther, { env })).code).toBe(5)
    // It names the other run, and is not inside of it.
    expect((await run(ofOther, { env: { BECKON_RUN: other.id } })).code).toBe(5)

    async function opening(run: string): Promise<string[]> {
      const { id } = await hub.raise({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd', run })
      if ((await hub.get(id)).status === 'pending') await hub.answer(id, { value: secret })
      return ['need', 'api_key', 'K', '--ref', id.replace('req_', 'ref_'), '--', 'sh', '-c', 'test -n "$K"']
    }
  })

  it('prints a file or a permission, and exits 10 when the permission is refused', async () => {
    const { run, start, pending, hub, cwd } = await createSandbox()
    mkdirSync(join(cwd, 'db'))
    writeFileSync(join(cwd, 'db', 'schema.sql'), 'create table')
    const file = start(['need', 'file', 'SCHEMA', '--description', 'which one?', '--json'])
    await run(['answer', (await pending()).id, 'db/schema.sql'])
    expect(JSON.parse((await file.result).stdout)).toMatchObject({ value: 'db/schema.sql', status: 'answered' })
    const permission = ['need', 'permission', 'DEPLOY', '--description', 'may I?']
    const granted = start(permission)
    await run(['answer', (await pending()).id, 'yes'])
    expect(await granted.result).toMatchObject({ code: 0, stdout: 'yes\n' })
    const refused = start([...permission, '--', 'touch', 'must-not-run'])
    const { id } = await pending()
    await run(['answer', id, 'no'])
    expect(await refused.result).toMatchObject({ code: 10, stdout: '' })
    expect((await hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('refuses a file that does not exist, and waits for one that does', async () => {
    const { run, start, pending, hub, cwd } = await createSandbox()
    const file = start(['need', 'file', 'SCHEMA', '--description', 'which one?'])
    const { id } = await pending()
    symlinkSync('later.sql', join(cwd, 'dangling.sql'))
    for (const [value, message] of [
      ['schema.sql', 'no such file'],
      [join(cwd, 'schema.sql'), 'no such file'],
      ['dangling.sql', 'no such file'],
      ['.', 'is a folder'],
    ] as const) {
      const { code, stderr } = await run(['answer', id, value])
      expect({ value, code, stderr }).toEqual({ value, code: 1, stderr: expect.stringContaining(message) })
    }
    expect((await hub.get(id)).status).toBe('pending')
    writeFileSync(join(cwd, 'schema.sql'), 'create table')
    expect(await run(['answer', id, 'schema.sql'])).toMatchObject({ code: 0 })
    expect(await file.result).toMatchObject({ code: 0, stdout: 'schema.sql\n' })
  })

  it('exits as ask does when there is no value', async () => {
    const { run, start, pending } = await createSandbox()
    const skipped = start([...need, '--optional', '--', 'false'])
    await run(['skip', (await pending()).id])
    expect((await skipped.result).code).toBe(11)
    expect((await run([...need, '--timeout', '20ms', '--', 'false'])).code).toBe(12)
    expect((await run([...need, '--no-human', 'fail', '--', 'false'])).code).toBe(69)
  })

  it('forwards signals to the command and exits as the command did', async () => {
    const { start, pending, hub } = await createSandbox()
    const script = 'trap "echo stopping; exit 9" TERM; echo ready; while :; do sleep 0.05; done'
    const trapping = start([...need, '--', 'sh', '-c', script])
    await hub.answer((await pending()).id, { value: secret })
    await until(() => trapping.written().stdout.includes('ready'), 'the command')
    trapping.child.kill('SIGTERM')
    expect(await trapping.result).toMatchObject({ code: 9, stdout: 'ready\nstopping\n' })
    const dying = start([...need, '--', 'sh', '-c', 'kill -KILL $$'])
    await hub.answer((await pending()).id, { value: secret })
    expect((await dying.result).code).toBe(137)
  })

  it("removes Beckon's key and token from the environment of the command", async () => {
    const { start, pending, run, env } = await createSandbox()
    env.BECKON_KEY = Buffer.alloc(32, 7).toString('base64')
    env.BECKON_TOKEN = 'tok'
    const needing = start([...need, '--', 'env'])
    await run(['answer', (await pending()).id, '--from', '-'], { input: secret })
    const { stdout } = await needing.result
    expect(stdout).toContain(`STRIPE_KEY=${secret}\n`)
    expect(stdout).not.toMatch(/BECKON_(KEY|TOKEN)/)
  })

  it('refuses invalid arguments before it asks', async () => {
    const { run, hub } = await createSandbox()
    const refused: [string[], RegExp][] = [
      [['need', 'api_key', 'NOT-A-NAME', '--description', 'd', '--', 'true'], /NAME must be a valid name/],
      [['need', 'api_key', '1X', '--description', 'd', '--', 'true'], /NAME must be a valid name/],
      [['need', 'api_key', 'X', '--description', 'd', '--', 'no-such-command-here'], /COMMAND: .*does not exist/],
      [['need', 'api_key', 'X', '--description', 'd', 'true'], /COMMAND must come after --/],
      [['need', 'api_key', 'X'], /--description is missing/],
      [['need', 'api_key', 'X', '--description', ''], /--description must not be empty/],
      [['need', 'password', 'X', '--description', 'd'], /TYPE must be one of: api_key/],
      [['need', 'api_key', 'X', '--ref', 'req_1', '--', 'true'], /--ref is not a reference/],
    ]
    for (const [args, reason] of refused) {
      const { code, stderr } = await run(args)
      expect({ args, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) })
    }
    expect((await run(['need', 'api_key', 'X', '--ref', 'ref_1', '--', 'true'])).code).toBe(4)
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('stores and prints the value nowhere in clear text', async () => {
    const { home, start, run, pending } = await createSandbox()
    const needing = start([...need, '--', 'true'])
    const { id } = await pending()
    const results = [await run(['answer', id, '--from', '-'], { input: secret }), await needing.result]
    for (const args of [
      ['show', id, '--json'],
      ['show', id],
      ['events', '--json'],
      ['list', '--all', '--json'],
    ]) {
      results.push(await run(args))
    }
    expect(JSON.stringify(results)).not.toContain(secret)
    for (const file of readdirSync(home)) expect(readFileSync(join(home, file)).includes(secret)).toBe(false)
  })
})
