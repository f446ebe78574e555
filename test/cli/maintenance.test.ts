import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'
import { terminal } from './tmux.ts'

describe('beckon backup', () => {
  it('writes a copy that only its owner can read and another hub can open', async () => {
    const { ask, run, json, cwd } = await createSandbox()
    const { id } = await ask({ questions: [{ question: 'One?' }] })
    const file = join(cwd, 'copy.db')
    const { code, document } = await json(['backup', 'copy.db'])
    expect({ code, document }).toEqual({ code: 0, document: { file, bytes: statSync(file).size } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(cwd)).toEqual(['copy.db'])
    const copied = await run(['list', '--json'], { env: { BECKON_DB: file } })
    expect(JSON.parse(copied.stdout).requests).toMatchObject([{ id }])
  })

  it('never overwrites a file', async () => {
    const { run, cwd } = await createSandbox()
    writeFileSync(join(cwd, 'precious'), 'mine')
    const { code, stderr } = await run(['backup', 'precious'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('never overwrites') })
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('mine')
    expect((await run(['backup', 'no/such/folder/copy.db'])).code).toBe(1)
  })
})

describe('beckon gc', () => {
  it('deletes requests that were settled long enough ago, and no pending ones', async () => {
    const { ask, json, hub } = await createSandbox()
    const settled = await ask({ questions: [{ question: 'One?' }] })
    const pending = await ask({ questions: [{ question: 'Two?' }] })
    await hub.answer(settled.id, { value: 'x' })
    await hub.confirmDelivery(settled.id)
    expect((await json(['gc', '--older-than', '1h'])).document).toEqual({
      requests: 0,
      events: 0,
      runs: 0,
      checkpoints: 0,
      freed: expect.any(Number),
    })
    await sleep(5)
    expect((await json(['gc', '--older-than', '1ms'])).document).toMatchObject({ requests: 1, runs: 0 })
    expect((await hub.list({ status: 'all' })).requests).toMatchObject([{ id: pending.id }])
  })

  it('requires a valid --older-than', async () => {
    const { run } = await createSandbox()
    for (const args of [[], ['--older-than', 'yesterday'], ['--older-than', '-1d']]) {
      expect((await run(['gc', ...args])).code).toBe(1)
    }
  })
})

describe('beckon gc of a large database', () => {
  /** Requests that were settled long ago, and a connection of our own that counts them. */
  async function withOldRequests(count: number) {
    const sandbox = await createSandbox()
    const db = new Database(join(sandbox.home, 'beckon.db'), { timeout: 10_000 })
    sandbox.atEnd(() => db.close())
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into requests (id, kind, status, required, body, agent, agent_name, scope, content, asked_by, host, on_timeout,
        created_at, settled_at)
      select printf('req_%08d', i), 'question', 'answered', 1, '{"questions":[]}', '{"name":"a","cwd":"/","path":[]}', 'a',
        'user:me:/', 'c' || i, 'me', 'here', 'remind', 1, 2 from n`)
    const left = () => db.prepare(`select count(*) from requests where content like 'c%'`).pluck().get() as number
    return { ...sandbox, db, left }
  }

  it('lets other processes write while it deletes', async () => {
    const { start, db, left } = await withOldRequests(5_000)
    db.exec('create table written (i integer)')
    const deleting = start(['gc', '--older-than', '1d'])
    const seen = new Set<number>()
    while (left() > 0) {
      db.prepare('insert into written values (1)').run()
      seen.add(left())
      await sleep(1)
    }
    expect(await deleting.result).toMatchObject({ code: 0, stderr: expect.stringContaining('Deleted 5000 requests') })
    // What was left at our writes: all, nothing, and something in between.
    expect([...seen].filter(count => count > 0 && count < 5_000).length).toBeGreaterThan(3)
  })

  it('counts on a terminal, stops at Ctrl-C between two steps, and goes on with the same command', async () => {
    const { left, ...sandbox } = await withOldRequests(10_000)
    const screen = terminal(sandbox, ['gc', '--older-than', '1d'])
    await screen.shows(/^\d+ requests, .*…$/m)
    screen.press('C-c')
    await screen.shows('Stopped before the end. The same command again deletes the rest.')
    expect((await screen.end()).code).toBe(1)
    const rest = left()
    expect(rest).toBeGreaterThan(0)
    expect((await sandbox.run(['gc', '--older-than', '1d'])).stderr).toContain(`Deleted ${rest} requests`)
  })
})

describe('beckon events after beckon gc', () => {
  it('refuses a cursor from before what is left, and starts over from 0', async () => {
    const { ask, run, json, hub } = await createSandbox()
    const open = await ask({ questions: [{ question: 'One?' }] })
    const settled = await ask({ questions: [{ question: 'Two?' }] })
    await hub.answer(settled.id, { value: 'x' })
    await sleep(5)
    expect((await run(['gc', '--older-than', '1ms'])).stderr).toContain('Deleted 1 requests, 2 events')
    for (const more of [[], ['--follow']]) {
      const refused = await json(['events', '--since', '1', ...more])
      expect(refused).toMatchObject({ code: 1, document: { error: { code: 'cursor_gone', details: { oldest: 3 } } } })
    }
    expect((await run(['events', '--since', '3'])).code).toBe(0)
    // The events of what is open are there, however old.
    for (const args of [['events'], ['events', '--since', '0']]) {
      expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringMatching(`^1 .*${open.id}`) })
    }
  })
})

describe('beckon gc with a lost key', () => {
  it('deletes the sealed values, so that another key can be used', async () => {
    const { ask, run, hub } = await createSandbox()
    const need = { kind: 'dependency', type: 'api_key', name: 'K', description: 'd' } as const
    const { id } = await ask(need)
    await hub.answer(id, { value: 'sk-canary-1234' })
    const env = { BECKON_KEY: Buffer.alloc(32, 9).toString('base64') }
    const another = ['need', 'api_key', 'L', '--description', 'd', '--async']
    expect(await run(another, { env })).toMatchObject({ code: 1, stderr: expect.stringContaining('another key') })
    expect((await run(['gc', '--older-than', '0s'], { env })).code).toBe(0)
    expect((await run(another, { env })).code).toBe(0)
  })
})

describe('beckon doctor', () => {
  it('reports a healthy installation', async () => {
    const { ask, json, hub } = await createSandbox()
    const { id } = await ask({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd' })
    await hub.answer(id, { value: 'sk-canary-1234' })
    await ask({ questions: [{ question: 'One?' }] })
    const { code, document } = await json(['doctor'])
    expect({ code, fine: document.fine }).toEqual({ code: 0, fine: true })
    const findings = new Map(document.findings.map((one: { what: string; finding: string }) => [one.what, one.finding]))
    expect(findings.get('sealing key')).toContain('matches this database')
    expect(findings.get('pending')).toBe('1 requests wait for a person')
    expect(findings.get('integrity')).toBe('ok')
    expect([...findings.keys()]).toEqual(expect.arrayContaining(['node', 'shell', 'folder', 'file watching']))
  })

  it('reports problems, and never prints the key', async () => {
    const { ask, run, hub, home } = await createSandbox()
    const { id } = await ask({ kind: 'dependency', type: 'api_key', name: 'K', description: 'd' })
    await hub.answer(id, { value: 'sk-canary-1234' })
    const key = Buffer.alloc(32, 9).toString('base64')
    const wrongKey = await run(['doctor'], { env: { BECKON_KEY: key } })
    expect(wrongKey).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BAD +sealing key +does not match/m) })
    expect(wrongKey.stdout).not.toContain(key)
    chmodSync(home, 0o755)
    const open = await run(['doctor'])
    expect(open).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BAD +folder .*chmod/m) })
  })

  it('changes nothing: it does not create a missing database', async () => {
    const { run, root } = await createSandbox()
    const { code, stdout } = await run(['doctor'], { env: { BECKON_HOME: join(root, 'fresh') } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('does not exist yet') })
    expect(existsSync(join(root, 'fresh'))).toBe(false)
  })

  it('reports a database that cannot be opened', async () => {
    const { run, cwd } = await createSandbox()
    writeFileSync(join(cwd, 'broken.db'), 'this is no database, and long enough to be looked at as one'.repeat(100))
    const { code, stdout } = await run(['doctor'], { env: { BECKON_DB: join(cwd, 'broken.db') } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^BAD +database /m) })
  })
})
