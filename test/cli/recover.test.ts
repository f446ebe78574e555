import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

const agentFile = join(import.meta.dirname, '../supervisor/processes/careful-agent.py')

function carefulAgent(sandbox: Sandbox, count: number): string[] {
  return ['python3', agentFile, join(sandbox.cwd, 'log'), String(count)]
}

function log(sandbox: Sandbox): string[] {
  const file = join(sandbox.cwd, 'log')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

function holderOf(agent: number): number {
  const status = readFileSync(`/proc/${agent}/stat`, 'latin1')
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
}

async function firstRun(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.runs.list())[0], 'a run')
}

describe('beckon run --recover', () => {
  it('takes over a run whose supervisor was killed while the run waited', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 2)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = sandbox.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    await sandbox.hub.answer(id, { value: 'one' })
    const second = await until(async () => (await sandbox.hub.list()).requests[0], 'the second question')
    await sandbox.hub.answer(second.id, { value: 'two' })
    expect((await recovering.result).code).toBe(0)
    expect(log(sandbox)).toEqual(['start', '0 one', '1 two', 'end'])
    expect(await firstRun(sandbox)).toMatchObject({ status: 'completed', exitCode: 0 })
    const { stdout } = await sandbox.run(['runs', 'logs', (await firstRun(sandbox)).id])
    expect(stdout.match(/some output before/g)).toHaveLength(2)
  })

  it('delivers an answer that was given while the run had no supervisor', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(id, { value: 'late' })
    expect(log(sandbox)).toEqual(['start'])
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    // Another process of this machine may have been first to take it over.
    await expect.poll(() => log(sandbox)).toEqual(['start', '0 late', 'end'])
    await expect.poll(async () => (await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('leaves a run with a living supervisor alone', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    expect((await sandbox.run(['run', '--recover'])).stderr).toBe('')
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
  })

  it('marks a run as failed when its holder is gone, and leaves no process behind', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await firstRun(sandbox)
    const holder = holderOf(run.pid ?? 0)
    running.child.kill('SIGKILL')
    await running.result
    process.kill(holder, 'SIGKILL')
    expect((await sandbox.run(['run', '--recover'])).stderr).toContain('failed')
    expect(await firstRun(sandbox)).toMatchObject({ status: 'failed' })
    expect((await sandbox.hub.get(id)).status).toBe('orphaned')
    expect(processesOf(run.id)).toEqual([])
  })

  it('puts a run that may sleep to sleep after its processes were killed, and wakes it for its answer', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--sleep-after', '1h', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await firstRun(sandbox)
    const holder = holderOf(run.pid ?? 0)
    for (const pid of [running.child.pid, holder, run.pid]) if (pid) process.kill(pid, 'SIGKILL')
    await running.result
    expect((await sandbox.run(['run', '--recover'])).stderr).toContain('asleep')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    await sandbox.run(['answer', id, '--text', 'later']).catch(() => {})
    await sandbox.run(['answer', id, 'later'])
    await until(async () => (await sandbox.hub.runs.get(run.id)).status === 'completed', 'its end')
    expect(log(sandbox)).toEqual(['start', 'start', '0 later', 'end'])
  })

  it('is not needed to stop a run without a supervisor', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const run = await firstRun(sandbox)
    expect((await sandbox.run(['runs', 'stop', run.id])).code).toBe(0)
    await until(() => processesOf(run.id).length === 0, 'its processes to end')
    expect((await sandbox.hub.get(id)).status).toBe('cancelled')
  })

  it('ends the processes of a run that was stopped while it had no supervisor', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const run = await firstRun(sandbox)
    await sandbox.hub.runs.change(run.id, { status: 'stopped' })
    expect(processesOf(run.id)).not.toEqual([])
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    expect(processesOf(run.id)).toEqual([])
  })

  it('finds no process of a run when its end is announced', async () => {
    const sandbox = await createRunSandbox()
    const over = new AbortController()
    const left: Promise<number[]> = (async () => {
      for await (const { type, run } of sandbox.hub.follow({ signal: over.signal })) {
        if (type === 'run.completed') return processesOf(run ?? '')
      }
      return [0]
    })()
    expect((await sandbox.run(['run', '--', 'true'])).code).toBe(0)
    expect(await left).toEqual([])
    over.abort()
  })

  it('happens automatically in a server', async () => {
    const sandbox = await createRunSandbox()
    const server = sandbox.start(['serve', '--port', '0', '--no-link'])
    const running = sandbox.start(['run', '--', ...carefulAgent(sandbox, 1)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(id, { value: 'served' })
    await until(async () => (await firstRun(sandbox)).status === 'completed', 'its end', 30_000)
    expect(log(sandbox)).toEqual(['start', '0 served', 'end'])
    server.child.kill('SIGTERM')
    expect((await server.result).code).toBe(0)
  }, 60_000)

  it('redacts secrets that the run was given earlier in its later output', async () => {
    const sandbox = await createRunSandbox()
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
    const running = sandbox.start(['run', '--', 'python3', '-c', script])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'canary-70707' })
    const next = await until(async () => (await sandbox.hub.list()).requests.find(one => one.id !== id), 'the question')
    await until(() => running.written().stderr.includes(next.id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(next.id, { value: 'yes' })
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    // Another process of this machine may have been first to take it over.
    await until(async () => (await firstRun(sandbox)).status === 'completed', 'its end')
    const { stdout } = await sandbox.run(['runs', 'logs', (await firstRun(sandbox)).id])
    expect(stdout).toContain('it was [redacted]')
  })
})
