import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { runSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

const agentFile = join(import.meta.dirname, '../supervisor/actors/careful-agent.py')

function careful(place: Sandbox, count: number): string[] {
  return ['python3', agentFile, join(place.cwd, 'log'), String(count)]
}

function log(place: Sandbox): string[] {
  const file = join(place.cwd, 'log')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

function holderOf(agent: number): number {
  const status = readFileSync(`/proc/${agent}/stat`, 'latin1')
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
}

async function theRun(place: Sandbox) {
  return until(async () => (await place.hub.runs.list())[0], 'a run')
}

describe('beckon run --recover', () => {
  it('takes over a run whose supervisor was killed while it waited', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 2)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = place.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    expect((await place.hub.get(id)).status).toBe('pending')
    await place.hub.answer(id, { value: 'one' })
    const second = await until(async () => (await place.hub.list()).requests[0], 'the second question')
    await place.hub.answer(second.id, { value: 'two' })
    expect((await recovering.result).code).toBe(0)
    expect(log(place)).toEqual(['start', '0 one', '1 two', 'end'])
    expect(await theRun(place)).toMatchObject({ status: 'completed', exitCode: 0 })
    const { stdout } = await place.run(['runs', 'logs', (await theRun(place)).id])
    expect(stdout.match(/some output before/g)).toHaveLength(2)
  })

  it('delivers what was answered while nobody looked after the run', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await place.hub.answer(id, { value: 'late' })
    expect(log(place)).toEqual(['start'])
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    expect(log(place)).toEqual(['start', '0 late', 'end'])
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('leaves a run alone that is looked after', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    expect((await place.run(['run', '--recover'])).stderr).toBe('')
    await place.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
  })

  it('says that a run has failed whose holder and agent are gone, and leaves nothing behind', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await theRun(place)
    const holder = holderOf(run.pid ?? 0)
    running.child.kill('SIGKILL')
    await running.result
    process.kill(holder, 'SIGKILL')
    expect((await place.run(['run', '--recover'])).stderr).toContain('failed')
    expect(await theRun(place)).toMatchObject({ status: 'failed' })
    expect((await place.hub.get(id)).status).toBe('orphaned')
    expect(processesOf(run.id)).toEqual([])
  })

  it('brings a run back that may sleep, when its machine was switched off', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--sleep-after', '1h', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await theRun(place)
    const holder = holderOf(run.pid ?? 0)
    for (const pid of [running.child.pid, holder, run.pid]) if (pid) process.kill(pid, 'SIGKILL')
    await running.result
    expect((await place.run(['run', '--recover'])).stderr).toContain('asleep')
    expect((await place.hub.get(id)).status).toBe('pending')
    await place.run(['answer', id, '--text', 'later']).catch(() => {})
    await place.run(['answer', id, 'later'])
    await until(async () => (await place.hub.runs.get(run.id)).status === 'completed', 'its end')
    expect(log(place)).toEqual(['start', 'start', '0 later', 'end'])
  })

  it('is not needed to stop a run that nobody looks after', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const run = await theRun(place)
    expect((await place.run(['runs', 'stop', run.id])).code).toBe(0)
    await until(() => processesOf(run.id).length === 0, 'its processes to end')
    expect((await place.hub.get(id)).status).toBe('cancelled')
  })

  it('ends what is left of a run that was stopped from elsewhere while nobody looked after it', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const run = await theRun(place)
    await place.hub.runs.change(run.id, { status: 'stopped' })
    expect(processesOf(run.id)).not.toEqual([])
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    expect(processesOf(run.id)).toEqual([])
  })

  it('finds no process of a run that is said to have ended', async () => {
    const place = await runSandbox()
    const over = new AbortController()
    const left: Promise<number[]> = (async () => {
      for await (const { type, run } of place.hub.follow({ signal: over.signal })) {
        if (type === 'run.completed') return processesOf(run ?? '')
      }
      return [0]
    })()
    expect((await place.run(['run', '--', 'true'])).code).toBe(0)
    expect(await left).toEqual([])
    over.abort()
  })

  it('is what a server does by itself', async () => {
    const place = await runSandbox()
    const server = place.start(['serve', '--port', '0', '--no-link'])
    const running = place.start(['run', '--', ...careful(place, 1)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await place.hub.answer(id, { value: 'served' })
    await until(async () => (await theRun(place)).status === 'completed', 'its end', 30_000)
    expect(log(place)).toEqual(['start', '0 served', 'end'])
    server.child.kill('SIGTERM')
    expect((await server.result).code).toBe(0)
  }, 60_000)

  it('redacts what the run was given before, also in what it prints from now on', async () => {
    const place = await runSandbox()
    const script = String.raw`
import sys
print("[DEPENDENCY_REQUEST]\ntype: env_variable\nname: TOKEN\ndescription: x\nrequired: true\n[/DEPENDENCY_REQUEST]", flush=True)
for line in sys.stdin:
    if line.startswith("value: "): value = line[7:].rstrip("\n")
    if line.startswith("[/"): break
print("[USER_QUESTION]\ncategory: clarification\nquestion: Go on?\n[/USER_QUESTION]", flush=True)
sys.stdin.readline()
print("it was " + value)
`
    const running = place.start(['run', '--', 'python3', '-c', script])
    const { id } = await place.pending()
    await place.hub.answer(id, { value: 'canary-70707' })
    const next = await until(async () => (await place.hub.list()).requests.find(one => one.id !== id), 'the question')
    await until(() => running.written().stderr.includes(next.id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await place.hub.answer(next.id, { value: 'yes' })
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    const { stdout } = await place.run(['runs', 'logs', (await theRun(place)).id])
    expect(stdout).toContain('it was [redacted]')
  })
})
