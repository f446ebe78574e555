import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { HubApi } from '../../src/protocol/hub.ts'
import type { SupervisorContext } from '../../src/supervisor/context.ts'
import { runFolder } from '../../src/supervisor/folder.ts'
import { recoverRun } from '../../src/supervisor/recovery/recover-run.ts'
import { recoverAll } from '../../src/supervisor/recovery/recovery.ts'
import { startServer } from '../server/test-server.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { createSandbox, until } from './sandbox.ts'

it('a run that only names this machine over HTTP starts no recovery here', async () => {
  const { run, hub, home, cwd, root } = await createSandbox()
  const server = await startServer(join(home, 'beckon.db'))
  const runner = await server.client('run')
  const { id } = await runner.runs.start({ command: ['x'], cwd, host: hostname(), sleeps: true })
  await runner.runs.change(id, { status: 'asleep' })
  // Every process of Node that is started here writes down what it was started for.
  const started = join(root, 'started')
  const recorder = join(root, 'recorder.mjs')
  writeFileSync(
    recorder,
    `import fs from 'node:fs'; fs.appendFileSync(${JSON.stringify(started)}, process.argv.join(' ') + '\\n')`,
  )
  const env = { NODE_OPTIONS: `--import ${recorder}` }
  const recoveries = () =>
    readFileSync(started, 'utf8')
      .split('\n')
      .filter(line => line.endsWith('run --recover'))
  for (let count = 0; count < 3; count += 1) expect((await run(['list'], { env })).code).toBe(0)
  // A run of this machine does start one; that one starts no other.
  const own = await hub.runs.start({ command: ['x'], cwd, sleeps: true })
  await hub.runs.change(own.id, { status: 'asleep' })
  expect((await run(['list'], { env })).code).toBe(0)
  await until(() => recoveries().length > 0, 'the recovery')
  expect((await run(['run', '--recover'])).code).toBe(0)
  expect(recoveries()).toHaveLength(1)
})

it('a run that loses its process while the recovery process is busy with another run is not left alone', async () => {
  const { hub, home, cwd, atEnd } = await createSandbox()
  const child = spawn('sleep', ['600'])
  atEnd(() => child.kill('SIGKILL'))
  const { id } = await hub.runs.start({ command: ['x'], cwd, pid: child.pid ?? 0 })
  mkdirSync(runFolder(home, id).path, { recursive: true })
  const { pid: gone = 0 } = spawnSync('true')
  const slow = await hub.runs.start({ command: ['x'], cwd, pid: gone })
  // It has waited for the supervisor of the slow one, who comes back, and has found the other one alive before that.
  const get: HubApi['runs']['get'] = async run => {
    if (run !== slow.id) return hub.runs.get(run)
    if (child.kill('SIGKILL')) await once(child, 'exit')
    return hub.runs.change(run, { pid: process.pid })
  }
  const context = { hub: { ...hub, runs: { ...hub.runs, get } }, home, overHttp: false } as SupervisorContext
  expect(await recoverAll(context, { signal: new AbortController().signal })).toBe(true)
  expect(await hub.runs.get(id)).toMatchObject({ status: 'failed', reason: 'Its process is gone.' })
})

it('a recovery process ends although a run that is not its to judge has no process', async () => {
  const { hub, home, cwd } = await createSandbox()
  const server = await startServer(join(home, 'beckon.db'))
  const runner = await server.client('run')
  const { pid: gone = 0 } = spawnSync('true')
  const { id } = await runner.runs.start({ command: ['x'], cwd, host: hostname(), pid: gone })
  mkdirSync(runFolder(home, id).path, { recursive: true })
  const context = { hub, home, overHttp: false } as SupervisorContext
  expect(await recoverAll(context, { signal: new AbortController().signal })).toBe(true)
  expect((await hub.runs.get(id)).status).toBe('running')
})

it('a run of another home is not ended here while its supervisor starts its agent again', async () => {
  const { hub, root, cwd } = await createSandbox()
  const { pid: gone = 0 } = spawnSync('true')
  const { id } = await hub.runs.start({ command: ['x'], cwd, pid: gone })
  const context = { hub, home: join(root, 'another-home'), overHttp: false } as SupervisorContext
  const recovering = recoverRun(context, await hub.runs.get(id))
  await hub.runs.change(id, { pid: process.pid })
  expect(await recovering).toEqual({ how: 'elsewhere' })
  expect((await hub.runs.get(id)).status).toBe('running')
})

it('a run that waits for its answer without a process goes on, although another home looks', async () => {
  const sandbox = await createRunSandbox()
  const agent = String.raw`if [ -n "$1" ]; then echo "got $1" >got; exit; fi
printf '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]\n'`
  writeFileSync(join(sandbox.cwd, 'agent.sh'), agent)
  const running = sandbox.start(['run', '--resume-command', 'bash agent.sh {answer}', '--', 'bash', 'agent.sh'])
  const { id, run } = await sandbox.pending()
  await until(() => running.written().stderr.includes('starts it again'), 'the end of the agent')
  const env = { BECKON_DB: join(sandbox.home, 'beckon.db'), BECKON_HOME: join(sandbox.root, 'another-home') }
  expect(await sandbox.run(['runs'], { env })).toMatchObject({ stderr: '' })
  await sandbox.run(['run', '--recover'], { env })
  expect((await sandbox.hub.runs.get(run ?? '')).status).toBe('running')
  await sandbox.hub.answer(id, { value: 'b' })
  expect((await running.result).code).toBe(0)
  expect(readFileSync(join(sandbox.cwd, 'got'), 'utf8')).toBe('got b\n')
})
