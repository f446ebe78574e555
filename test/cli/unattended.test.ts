import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { runFolder } from '../../src/supervisor/folder.ts'
import { endAll, processesOf } from '../../src/supervisor/processes/processes.ts'
import { isAbandoned } from '../../src/supervisor/settings.ts'
import { identify } from '../../src/system/processes/identity.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

const agentFile = join(import.meta.dirname, '../supervisor/processes/careful-agent.py')

function log(sandbox: Sandbox): string[] {
  const file = join(sandbox.cwd, 'log')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** A run that waits for an answer, and whose supervisor alone was killed. */
async function loseSupervisor(sandbox: Sandbox, ...options: string[]) {
  const agent = ['python3', agentFile, join(sandbox.cwd, 'log'), '1']
  const running = sandbox.start(['run', ...options, '--', ...agent])
  const request = await sandbox.pending()
  await until(() => running.written().stderr.includes(request.id), 'the announcement')
  running.child.kill('SIGKILL')
  await running.result
  return { request, run: await sandbox.hub.runs.get(request.run ?? '') }
}

async function untilEnded(sandbox: Sandbox, run: string) {
  return until(async () => {
    const found = await sandbox.hub.runs.get(run)
    return found.endedAt === null ? null : found
  }, 'the end of the run')
}

describe('a run whose supervisor died', () => {
  it.each([
    ['answer', 'b'],
    ['decline', '--reason', 'not now'],
  ])('is taken over by "beckon %s", which says so', async (...command) => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    const [verb = '', ...rest] = command
    const settled = await sandbox.run([verb, request.id, ...rest])
    expect(settled.stderr).toContain('taken over')
    expect(settled.code).toBe(0)
    expect(await untilEnded(sandbox, run.id)).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(log(sandbox)).toEqual(['start', verb === 'answer' ? '0 b' : '0 ', 'end'])
    expect((await sandbox.hub.get(request.id)).deliveredAt).not.toBeNull()
  })

  it('is not called taken over by an answer that comes too late', async () => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    await endAll(run.id, { grace: 100 })
    const settled = await sandbox.run(['answer', request.id, 'b'])
    expect(settled.stderr).toContain('could not be brought back')
    expect(settled.stderr).not.toContain('taken over')
    expect(await sandbox.hub.runs.get(run.id)).toMatchObject({ status: 'failed' })
  })

  it('is taken over by an answer on PostgreSQL', async () => {
    const sandbox = await createRunSandbox()
    sandbox.env.BECKON_DB = await freshDatabase()
    sandbox.env.BECKON_KEY = Buffer.alloc(32, 5).toString('base64')
    const hub = await openHub({ env: sandbox.env as NodeJS.ProcessEnv })
    sandbox.atEnd(() => hub.close())
    const shared = { ...sandbox, hub, pending: () => until(async () => (await hub.list()).requests[0], 'a request') }
    const { request, run } = await loseSupervisor(shared)
    sandbox.atEnd(() => endAll(run.id, { grace: 100 }))
    expect((await sandbox.run(['answer', request.id, 'b'])).stderr).toContain('taken over')
    expect(await untilEnded(shared, run.id)).toMatchObject({ status: 'completed' })
    expect(log(sandbox)).toEqual(['start', '0 b', 'end'])
  })

  it('is taken over when a program answers through the library', async () => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    await sandbox.hub.answer(request.id, { value: 'b' })
    await untilEnded(sandbox, run.id)
    expect(log(sandbox)).toEqual(['start', '0 b', 'end'])
  })

  it.each([
    ['runs', []],
    ['runs show', ['RUN']],
    ['list', []],
    ['show', ['REQUEST']],
  ])('is looked after again once a person looks: %s', async (command, args) => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    const ids = args.map(name => (name === 'RUN' ? run.id : request.id))
    const { code, stdout } = await sandbox.run([...command.split(' '), ...ids])
    expect(code).toBe(0)
    expect(isAbandoned(runFolder(sandbox.home, run.id).path)).toBe(false)
    expect(stdout).not.toContain('unattended')
    await sandbox.hub.answer(request.id, { value: 'b' })
    await untilEnded(sandbox, run.id)
    expect(log(sandbox)).toEqual(['start', '0 b', 'end'])
  })

  it('does not count as running where it cannot be taken over, and the person is told', async () => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    // The lock of a recovery process that does nothing.
    writeFileSync(join(sandbox.home, 'recovery.lock'), JSON.stringify(identify(process.pid)))
    const [listed, answered] = await Promise.all([sandbox.run(['runs']), sandbox.run(['answer', request.id, 'b'])])
    expect(listed.stdout).toMatch(new RegExp(`${run.id}.*unattended`))
    for (const { stderr } of [listed, answered]) {
      expect(stderr).toContain(`Nobody looks after ${run.id}`)
      expect(stderr).toContain('beckon run --recover')
    }
    expect(answered.code).toBe(0)
  }, 60_000)

  it('is concluded by looking when its agent has ended meanwhile', async () => {
    const sandbox = await createRunSandbox()
    const { request, run } = await loseSupervisor(sandbox)
    process.kill(run.pid ?? 0, 'SIGKILL')
    await until(() => existsSync(join(sandbox.home, 'runs', run.id, 'exit.json')), 'its exit status')
    const { document } = await sandbox.json(['runs', '--all'])
    expect(document.runs[0]).toMatchObject({ id: run.id, status: 'failed', exitCode: 137, waiting: [] })
    expect((await sandbox.json(['show', request.id])).document).toMatchObject({
      status: 'orphaned',
      outcome: { reason: expect.stringContaining('SIGKILL') },
    })
    expect(processesOf(run.id)).toEqual([])
  })

  it('goes on when it was paused, its supervisor died, and a person resumes it', async () => {
    const sandbox = await createRunSandbox()
    const agent = ['bash', '-c', 'echo ready; while [ ! -e go ]; do sleep 0.05; done']
    const running = sandbox.start(['run', '--', ...agent])
    await until(() => running.written().stdout.includes('ready'), 'its agent')
    const run = await until(async () => (await sandbox.hub.runs.list())[0], 'a run')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.run(['runs', 'pause', run.id])
    const { stderr } = await sandbox.run(['runs', 'resume', run.id])
    expect(stderr).toContain('is running')
    writeFileSync(join(sandbox.cwd, 'go'), '')
    expect(await untilEnded(sandbox, run.id)).toMatchObject({ status: 'completed' })
  })
})
