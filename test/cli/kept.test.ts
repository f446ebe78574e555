import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { createCanary, filesBelow } from '../canary/canary.ts'
import { sandbox } from './sandbox.ts'

const needing = ['need', 'api_key', 'API_TOKEN', '--description', 'for the tests']
const printing = ['--', 'sh', '-c', 'printf %s "$API_TOKEN" | sha256sum']

async function keepOne(flags: string[] = ['--keep']) {
  const place = await sandbox()
  // The same user asks and answers, as on one's own machine.
  place.env.BECKON_USER = 'tester'
  const canary = createCanary()
  const asking = place.start([...needing, ...printing])
  const { id } = await place.pending()
  const answered = await place.run(['answer', id, '--from', '-', ...flags], { input: canary.value })
  expect(answered.code).toBe(0)
  return { ...place, canary, answered, digest: (await asking.result).stdout }
}

describe('beckon kept', () => {
  it('lists what a later need in this directory gets at once, and not its value', async () => {
    const { run, json, canary, answered, digest, cwd, root, hub } = await keepOne()
    expect(answered.stderr).toContain('Kept as API_TOKEN')
    const later = await run([...needing, '--description', 'again', ...printing])
    expect({ code: later.code, stdout: later.stdout }).toEqual({ code: 0, stdout: digest })
    const { document } = await json(['kept'])
    expect(document.kept).toMatchObject([
      { name: 'API_TOKEN', type: 'api_key', dependency: 'API_TOKEN', directory: cwd, by: 'tester' },
    ])
    expect(document.kept[0].lastUsedAt).not.toBeNull()
    const table = await run(['kept'])
    expect(table.stdout).toMatch(/^NAME .*\nAPI_TOKEN +api_key +API_TOKEN +tester /)
    const everything = [later, table, await run(['events', '--json']), document].map(result => JSON.stringify(result))
    expect([...everything, ...filesBelow(root).map(({ bytes }) => bytes)].flatMap(canary.findIn)).toEqual([])
    expect((await hub.list({ status: 'all' })).requests.at(-1)?.outcome).toMatchObject({
      channel: 'rule',
      by: 'tester',
    })
  })

  it('is for one directory, or for all of them where that was said', async () => {
    const here = await keepOne(['--keep', 'here only'])
    const elsewhere = await here.run([...needing, '--async', '--json', '--key', 'k'], { cwd: here.root })
    expect(JSON.parse(elsewhere.stdout).status).toBe('pending')
    const all = await keepOne(['--keep-everywhere'])
    const anywhere = await all.run([...needing, ...printing], { cwd: all.root })
    expect(anywhere).toMatchObject({ code: 0, stdout: all.digest })
    expect((await all.run(['kept'])).stdout).toContain('everywhere')
  })

  it('takes a value back, and deletes it', async () => {
    const { run, hub } = await keepOne(['--keep', 'mine'])
    expect(await run(['kept', 'remove', 'no such'])).toMatchObject({ code: 4 })
    expect(await run(['kept', 'remove', 'mine'])).toMatchObject({ code: 0 })
    expect((await run(['kept'])).stderr).toContain('No values are kept.')
    expect(await hub.kept.list()).toEqual([])
    const asked = await run([...needing, '--async', '--json'])
    expect(JSON.parse(asked.stdout).status).toBe('pending')
  })

  it('is not for agents', async () => {
    const { run, hub } = await keepOne()
    for (const args of [['kept'], ['kept', '--json'], ['kept', 'remove', 'API_TOKEN']]) {
      const refused = await run(args, { env: { CLAUDECODE: '1' } })
      expect(refused.code).toBe(5)
      expect(refused.stdout).not.toContain('API_TOKEN')
    }
    expect(await hub.kept.list()).toHaveLength(1)
  })

  it('gives a run what it asks for without stopping it', async () => {
    const { run, cwd, canary, hub, atEnd } = await keepOne()
    atEnd(async () => {
      for (const { id } of await hub.runs.list()) await endAll(id, { grace: 100 })
    })
    const script = join(cwd, 'agent.py')
    writeFileSync(
      script,
      String.raw`
import sys
print("[DEPENDENCY_REQUEST]\ntype: api_key\nname: API_TOKEN\ndescription: to go on\n[/DEPENDENCY_REQUEST]", flush=True)
for line in sys.stdin:
    if line.startswith("value: "): print("got", len(line.rstrip("\n")) - 7)
    if line.startswith("[/"): break
`,
    )
    const { code, stdout, stderr } = await run(['run', '--', 'python3', script])
    expect(code).toBe(0)
    expect(stdout).toMatch(/got \d+\n$/)
    expect(stderr).not.toContain('beckon answer')
    expect(canary.findIn(stdout + stderr)).toEqual([])
  })

  it('shows a name that an agent chose without obeying it', async () => {
    const { ask, run, hub } = await sandbox()
    const name = 'KEY \u202e\u001b[31m'
    const { id } = await ask({ kind: 'dependency', type: 'env_variable', name, description: 'x' })
    await hub.answer(id, { value: 'secret', keep: true })
    const { stdout } = await run(['kept'])
    for (const hostile of ['\u202e', '\u001b']) expect(stdout).not.toContain(hostile)
  })
})
