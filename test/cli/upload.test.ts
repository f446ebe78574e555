import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dependencyLimits } from '../../src/protocol/index.ts'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { safeName } from '../../src/supervisor/upload.ts'
import { sandbox } from './sandbox.ts'

const schema = { kind: 'dependency', type: 'file', name: 'SCHEMA', description: 'the schema' } as const

describe('beckon answer --upload', () => {
  it('gives a copy, for one user alone, to whoever asked for a file', async () => {
    const { start, run, pending, root, home } = await sandbox()
    const asking = start(['need', 'file', 'SCHEMA', '--description', 'the schema'])
    const { id } = await pending()
    const mine = join(root, 'my schema.sql')
    const bytes = Buffer.from([0, 255, 10, 13, 10])
    writeFileSync(mine, bytes)
    expect(await run(['answer', id, '--upload', mine])).toMatchObject({ code: 0 })
    const { code, stdout } = await asking.result
    const path = join(home, 'files', id, 'my_schema.sql')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}\n` })
    expect(readFileSync(path)).toEqual(bytes)
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('lays it into the folder of a run, and gc removes it with the run', async () => {
    const { run, start, pending, home, cwd, hub, atEnd } = await sandbox()
    atEnd(async () => {
      for (const { id } of await hub.runs.list()) await endAll(id, { grace: 100 })
    })
    const script = join(cwd, 'agent.py')
    writeFileSync(
      script,
      String.raw`
import sys
print("[DEPENDENCY_REQUEST]\ntype: file\nname: ../SCHEMA\ndescription: to go on\n[/DEPENDENCY_REQUEST]", flush=True)
for line in sys.stdin:
    if line.startswith("value: "): path = line[7:].rstrip("\n")
    if line.startswith("[/"): break
print(path); print(open(path).read())
`,
    )
    const running = start(['run', '--', 'python3', script])
    const { id } = await pending()
    expect(await run(['answer', id, '--upload', '-'], { input: 'create table' })).toMatchObject({ code: 0 })
    const { stdout } = await running.result
    const runId = (await hub.runs.list())[0]?.id ?? ''
    const path = join(home, 'runs', runId, 'files', 'SCHEMA')
    expect(stdout).toContain(`${path}\ncreate table\n`)
    // A path is no secret: the log may show it.
    expect((await run(['runs', 'logs', runId])).stdout).toContain(path)
    mkdirSync(join(home, 'runs', 'run_of_another_hub'))
    expect(await run(['gc', '--older-than', '0s'])).toMatchObject({ code: 0 })
    expect(readdirSync(join(home, 'runs'))).toEqual(['run_of_another_hub'])
  })

  it('removes with the request what was uploaded outside of any run', async () => {
    const { run, ask, home, hub, cwd } = await sandbox()
    const { id } = await ask(schema)
    writeFileSync(join(cwd, 'a'), 'a')
    expect(await run(['answer', id, '--upload', 'a'])).toMatchObject({ code: 0 })
    const { value } = await hub.use(id)
    expect(value).toBe(join(home, 'files', id, 'a'))
    await run(['gc', '--older-than', '0s'])
    expect(existsSync(join(home, 'files', id))).toBe(false)
  })

  it('refuses what is no file, too large, not asked for, or given twice, and leaves nothing behind', async () => {
    const { run, ask, home, cwd, root, hub } = await sandbox()
    const { id } = await ask(schema)
    const key = await ask({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'a key' })
    writeFileSync(join(cwd, 'small'), 'small')
    const large = join(root, 'large')
    writeFileSync(large, '')
    // Without a byte on disk.
    truncateSync(large, dependencyLimits.upload + 1)
    for (const [args, message] of [
      [[id, '--upload', 'nowhere'], 'cannot be read'],
      [[id, '--upload', '.'], 'is not a file'],
      [[id, '--upload', '/dev/zero'], 'is not a file'],
      [[id, '--upload', large], 'too large'],
      [[id, '--upload', 'small', '--keep'], 'cannot keep'],
      [[id, 'small', '--upload', 'small'], '--upload gives the value'],
      [[id, '--from', 'small', '--upload', 'small'], '--from gives the value'],
      [[key.id, '--upload', 'small'], 'does not ask for a file'],
    ] as const) {
      const { code, stderr } = await run(['answer', ...args])
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringContaining(message) })
    }
    expect(existsSync(join(home, 'files', id))).toBe(false)
    await hub.answer(id, { value: 'small' })
    expect((await run(['answer', id, '--upload', 'small'])).code).toBe(6)
    expect(existsSync(join(home, 'files', id))).toBe(false)
  })

  it('does not let a path lead out of the folder of uploads', async () => {
    const { ask, hub, home } = await sandbox()
    const { id } = await ask(schema)
    for (const value of [join(home, 'key'), `${home}/files/${id}/../../key`, `${home}/files/req_other/x`]) {
      await expect(hub.answer(id, { value })).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  it.each([
    ['../../etc/passwd', 'etc_passwd'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['a b\n$(c).sql', 'a_b_c_.sql'],
    ['배포.yaml', '배포.yaml'],
    ['\u202e\u0000/', 'file'],
    ['…', 'file'],
  ])('calls %j by a name that is nothing but a name', (wish, name) => {
    expect(safeName(wish)).toBe(name)
  })
})
