import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

describe('beckon backup', () => {
  it('writes a copy that another hub can open, for its owner only', async () => {
    const { ask, run, json, cwd } = await sandbox()
    const { id } = await ask({ questions: [{ question: 'One?' }] })
    const file = join(cwd, 'copy.db')
    const { code, document } = await json(['backup', 'copy.db'])
    expect({ code, document }).toEqual({ code: 0, document: { file, bytes: statSync(file).size } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(cwd)).toEqual(['copy.db'])
    const copied = await run(['list', '--json'], { env: { BECKON_DB: file } })
    expect(JSON.parse(copied.stdout).requests).toMatchObject([{ id }])
  })

  it('never overwrites', async () => {
    const { run, cwd } = await sandbox()
    writeFileSync(join(cwd, 'precious'), 'mine')
    const { code, stderr } = await run(['backup', 'precious'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('never overwrites') })
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('mine')
    expect((await run(['backup', 'no/such/folder/copy.db'])).code).toBe(1)
  })
})

describe('beckon gc', () => {
  it('deletes what was settled long enough ago, and nothing that waits', async () => {
    const { ask, json, hub } = await sandbox()
    const settled = await ask({ questions: [{ question: 'One?' }] })
    const pending = await ask({ questions: [{ question: 'Two?' }] })
    await hub.answer(settled.id, { value: 'x' })
    await hub.confirmDelivery(settled.id)
    expect((await json(['gc', '--older-than', '1h'])).document).toEqual({
      requests: 0,
      events: 0,
      runs: 0,
      checkpoints: 0,
    })
    await sleep(5)
    expect((await json(['gc', '--older-than', '1ms'])).document).toMatchObject({ requests: 1, runs: 0 })
    expect((await hub.list({ status: 'all' })).requests).toMatchObject([{ id: pending.id }])
  })

  it('needs to be told how old', async () => {
    const { run } = await sandbox()
    for (const args of [[], ['--older-than', 'yesterday'], ['--older-than', '-1d']]) {
      expect((await run(['gc', ...args])).code).toBe(1)
    }
  })
})

describe('a lost key', () => {
  it('is given up on by deleting what was sealed with it', async () => {
    const { ask, run, hub } = await sandbox()
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
  it('finds everything in order', async () => {
    const { ask, json, hub } = await sandbox()
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

  it('says what is wrong, and never what the key is', async () => {
    const { ask, run, hub, home } = await sandbox()
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

  it('looks and does not touch: without a database it makes none', async () => {
    const { run, root } = await sandbox()
    const { code, stdout } = await run(['doctor'], { env: { BECKON_HOME: join(root, 'fresh') } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('does not exist yet') })
    expect(existsSync(join(root, 'fresh'))).toBe(false)
  })

  it('reports a database that cannot be opened', async () => {
    const { run, cwd } = await sandbox()
    writeFileSync(join(cwd, 'broken.db'), 'this is no database, and long enough to be looked at as one'.repeat(100))
    const { code, stdout } = await run(['doctor'], { env: { BECKON_DB: join(cwd, 'broken.db') } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^BAD +database /m) })
  })
})
