import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StartRunInput } from '../../src/protocol/index.ts'
import { processesOf } from '../../src/supervisor/processes/processes.ts'
import { restartRun } from '../../src/supervisor/recovery/restart.ts'
import { recoveryLockFile } from '../../src/supervisor/recovery/start-recovery.ts'
import { type RunSettings, readSettings } from '../../src/supervisor/settings.ts'
import { createLock } from '../../src/system/lock-file.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { launcher, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const question = String.raw`printf '[USER_QUESTION]\ncategory: clarification\nquestion: Go?\n[/USER_QUESTION]\n'`

function script(sandbox: Sandbox, text: string, name = 'agent.sh'): string[] {
  writeFileSync(join(sandbox.cwd, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  return ['bash', join(sandbox.cwd, name)]
}

function fakeClaude(sandbox: Sandbox): string {
  const says = (text: string) =>
    JSON.stringify({ type: 'assistant', session_id: 's-1', message: { content: [{ type: 'text', text }] } })
  const block = '[USER_QUESTION]\ncategory: clarification\nquestion: Go?\n[/USER_QUESTION]'
  writeFileSync(join(sandbox.cwd, 'events'), `${says(block)}\n`)
  return script(sandbox, `case "$*" in *--resume*) echo "$*" >>log;; *) cat events;; esac`, 'claude')[1] ?? ''
}

function text(sandbox: Sandbox, name: string): string {
  const file = join(sandbox.cwd, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function firstRun(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.runs.list())[0], 'a run')
}

async function runWithStatus(sandbox: Sandbox, status: string) {
  return until(
    async () => (await sandbox.hub.runs.list()).find(run => run.status === status),
    `a run that is ${status}`,
  )
}

describe('a run in an edge case', () => {
  it('redacts a secret in its log that one of its commands opened', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `beckon need api_key MYKEY --description d -- sh -c 'echo "key $MYKEY"'`)
    const running = sandbox.start(['run', '--', ...agent])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'canary-30303-canary' })
    expect((await running.result).code).toBe(0)
    const { stdout } = await sandbox.run(['runs', 'logs', (await firstRun(sandbox)).id])
    expect(stdout).toBe('key [redacted]\n')
  })

  it('redacts the secret even if its supervisor learns late that it was opened', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `beckon need api_key MYKEY --description d -- sh -c 'echo "key $MYKEY"'`)
    const running = sandbox.start(['run', '--', ...agent])
    const { id } = await sandbox.pending()
    running.child.kill('SIGSTOP')
    await sandbox.hub.answer(id, { value: 'canary-30303-canary' })
    await until(async () => (await sandbox.hub.get(id)).usedAt, 'the command that opens it')
    await sleep(500)
    running.child.kill('SIGCONT')
    expect((await running.result).code).toBe(0)
    const { stdout } = await sandbox.run(['runs', 'logs', (await firstRun(sandbox)).id])
    expect(stdout).toBe('key [redacted]\n')
  })

  it('does not continue after a question that was cancelled because the run was stopped', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...script(sandbox, 'beckon ask "Go?" --option yes; touch after')])
    const { id } = await sandbox.pending()
    const { id: run } = await firstRun(sandbox)
    // Even if its supervisor learns of it late.
    running.child.kill('SIGSTOP')
    await sandbox.hub.runs.change(run, { status: 'stopped' })
    expect((await sandbox.hub.get(id)).status).toBe('cancelled')
    await sleep(1_500)
    running.child.kill('SIGCONT')
    await running.result
    await until(() => processesOf(run).length === 0, 'the end of its processes')
    expect(existsSync(join(sandbox.cwd, 'after'))).toBe(false)
  })

  it('gives an answer to the next turn, even if its supervisor was killed between two turns', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--format', 'claude', '--', fakeClaude(sandbox), '-p', 'x'])
    const { id } = await sandbox.pending()
    const { id: run } = await firstRun(sandbox)
    await until(() => processesOf(run).length === 0, 'the end of its turn')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(id, { value: 'later' })
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    await runWithStatus(sandbox, 'completed')
    expect(text(sandbox, 'log')).toMatch(/--resume s-1 .*later\n$/)
  })

  it('wakes although another run cannot be woken, which is marked as failed', async () => {
    const sandbox = await createRunSandbox()
    for (const name of ['one', 'two']) {
      const agent = script(sandbox, `x=$(beckon ask "${name}?"); echo "$x" >"got-${name}"`, `${name}.sh`)
      expect((await sandbox.run(['run', '--name', name, '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    }
    const broken = (await sandbox.hub.runs.list()).find(({ name }) => name === 'one')?.id ?? ''
    writeFileSync(join(sandbox.home, 'runs', broken, 'environment'), 'garbage')
    for (const { id } of (await sandbox.hub.list()).requests) await sandbox.run(['answer', id, 'yes'])
    await until(() => text(sandbox, 'got-two') === 'yes\n', 'the other one')
    await until(async () => (await sandbox.hub.runs.get(broken)).status === 'failed', 'the failure')
  }, 60_000)

  it('is left alone by --recover if its folder is missing', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, 'beckon ask "Go?"')
    expect((await sandbox.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const run = await firstRun(sandbox)
    rmSync(join(sandbox.home, 'runs', run.id), { recursive: true })
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'yes' })
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
  })

  it('does not restart an agent repeatedly that does not read its answer', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `echo start >>log; exec 0<&-; ${question}; sleep 0.3; exit 1`)
    const running = sandbox.start(['run', '--sleep-after', '1h', '--', ...agent])
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'yes' })
    expect((await running.result).code).toBe(1)
    expect(text(sandbox, 'log').split('\n').filter(Boolean).length).toBeLessThanOrEqual(2)
  })

  it('stops when its terminal is closed', async () => {
    const sandbox = await createRunSandbox()
    const screen = terminal(sandbox, ['run', '--', ...script(sandbox, `${question}; read -r x`)])
    await screen.shows('leave open')
    const { id } = await sandbox.pending()
    // Another session keeps the tmux server alive.
    screen.tmux('new-session', '-d', '-s', 'other', 'sleep 600')
    screen.tmux('kill-session', '-t', '0')
    await runWithStatus(sandbox, 'stopped')
    expect((await sandbox.hub.get(id)).status).toBe('cancelled')
  })

  it('continues after a long answer that came while it was paused', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...script(sandbox, `${question}; read -r x; echo "\${#x}" >log`)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await firstRun(sandbox)
    await sandbox.run(['runs', 'pause', run.id])
    await sandbox.hub.answer(id, { value: 'x'.repeat(300_000) })
    await sleep(300)
    expect(text(sandbox, 'log')).toBe('')
    await sandbox.run(['runs', 'resume', run.id])
    expect((await running.result).code).toBe(0)
    expect(text(sandbox, 'log')).toBe('300000\n')
  })

  it('gets its answers on stdin, also with --stdin none', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start([
      'run',
      '--stdin',
      'none',
      '--',
      ...script(sandbox, `${question}; read -r x; echo "$x" >log`),
    ])
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(text(sandbox, 'log')).toBe('yes\n')
  })

  it('is stopped even if its arguments name a Beckon program', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, `${question}; read -r x`)
    const running = sandbox.start(['run', '--', ...agent, launcher])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const { pid } = await firstRun(sandbox)
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0]).toBe('T')
    await sandbox.hub.answer(id, { value: 'yes' })
    await running.result
  })

  it('stays paused between two turns', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--format', 'claude', '--', fakeClaude(sandbox), '-p', 'x'])
    const { id } = await sandbox.pending()
    const run = await firstRun(sandbox)
    await until(() => processesOf(run.id).length === 0, 'the end of its turn')
    await sandbox.run(['runs', 'pause', run.id])
    await sandbox.run(['answer', id, 'yes'])
    await sleep(500)
    expect(text(sandbox, 'log')).toBe('')
    await sandbox.run(['runs', 'resume', run.id])
    expect((await running.result).code).toBe(0)
    expect(text(sandbox, 'log')).toContain('yes')
  })

  it('ends when its agent ends, even if a child process is left', async () => {
    const sandbox = await createRunSandbox()
    const { code, stdout } = await sandbox.run(['run', '--', 'bash', '-c', 'sleep 600 & echo hi; exit 3'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'hi\n' })
    const aborted = await sandbox.run(['run', '--', 'bash', '-c', 'kill -ABRT $$'])
    expect(aborted.code).toBe(134)
  })
})

describe('a run that gets a new supervisor', () => {
  it('has one checkpoint for its start and one for its question', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', ...script(sandbox, `${question}; read -r x; echo "$x" >log`)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = sandbox.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    await sandbox.hub.answer(id, { value: 'yes' })
    expect((await recovering.result).code).toBe(0)
    const kept = await sandbox.hub.checkpoints.list((await firstRun(sandbox)).id)
    expect(kept.map(({ reason, requests }) => [reason, requests])).toEqual([
      ['request', [id]],
      ['start', []],
    ])
  })

  it('stays paused, and continues when it is resumed', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, 'echo $$ >pid; while [ ! -e go ]; do sleep 0.05; done; echo gone >log')
    const running = sandbox.start(['run', '--', ...agent])
    const pid = await until(() => text(sandbox, 'pid').trim(), 'its first step')
    const state = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0]
    const run = await firstRun(sandbox)
    await sandbox.run(['runs', 'pause', run.id])
    await until(() => state() === 'T', 'its pause')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = sandbox.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    writeFileSync(join(sandbox.cwd, 'go'), '')
    await sleep(300)
    expect([state(), (await sandbox.hub.runs.get(run.id)).status]).toEqual(['T', 'paused'])
    await sandbox.run(['runs', 'resume', run.id])
    expect((await recovering.result).code).toBe(0)
    expect(text(sandbox, 'log')).toBe('gone\n')
  })

  it('starts its next turn once, although several processes try', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--format', 'claude', '--', fakeClaude(sandbox), '-p', 'x'])
    const { id } = await sandbox.pending()
    const { id: run } = await firstRun(sandbox)
    await until(() => processesOf(run).length === 0, 'the end of its turn')
    await sandbox.hub.answer(id, { value: 'later' })
    const others = await Promise.all([1, 2, 3].map(() => sandbox.run(['run', '--recover'])))
    expect(others.map(({ code }) => code)).toEqual([0, 0, 0])
    await running.result
    await runWithStatus(sandbox, 'completed')
    expect(text(sandbox, 'log').split('\n').filter(Boolean)).toHaveLength(1)
  })

  it('is woken after a process died that had leased it and not started it', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(sandbox, 'x=$(beckon ask "Go?"); echo "$x" >>log')
    expect((await sandbox.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const run = await runWithStatus(sandbox, 'asleep')
    const folder = join(sandbox.home, 'runs', run.id)
    expect(existsSync(join(folder, 'exit.json'))).toBe(true)
    // Pretend that the previous start ended well.
    writeFileSync(join(folder, 'exit.json'), JSON.stringify({ code: 0, signal: null, error: null, at: 0 }))
    // No other process wakes it meanwhile.
    const lock = createLock(recoveryLockFile(sandbox.home))
    expect(lock.take()).toBe(true)
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'yes' })
    const settings = readSettings(folder) as RunSettings
    const dying = {
      ...sandbox.hub,
      runs: {
        ...sandbox.hub.runs,
        start: async (input: StartRunInput) => failAfter(await sandbox.hub.runs.start(input)),
      },
    }
    const sealer = { seal: async () => Buffer.of(), open: async () => '{}' }
    const dead = {
      hub: dying,
      home: sandbox.home,
      holder: '',
      ownPrograms: [],
      sealer,
      shipsLogs: false,
      overHttp: false,
      env: {},
    }
    await expect(restartRun(dead, run, settings)).rejects.toThrow('killed')
    expect((await sandbox.hub.runs.get(run.id)).status).toBe('running')
    lock.release()
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    await runWithStatus(sandbox, 'completed')
    expect(text(sandbox, 'log')).toBe('yes\n')
  })

  it('is woken when its answer came while it fell asleep', async () => {
    const sandbox = await createRunSandbox()
    const agent = script(
      sandbox,
      `[ -e slept ] || trap 'touch slept; while [ ! -e answered ]; do sleep 0.05; done; exit 0' TERM; ${question}; read -r x; echo "$x" >log`,
    )
    const running = sandbox.start(['run', '--sleep-after', '200ms', '--', ...agent])
    const { id } = await sandbox.pending()
    await until(() => existsSync(join(sandbox.cwd, 'slept')), 'the start of its sleep')
    await sandbox.hub.answer(id, { value: 'yes' })
    writeFileSync(join(sandbox.cwd, 'answered'), '')
    const { code, stderr } = await running.result
    expect({ code, announced: stderr.includes('sleeps; it was answered, and is woken') }).toEqual({
      code: 75,
      announced: true,
    })
    await runWithStatus(sandbox, 'completed')
    expect(text(sandbox, 'log')).toBe('yes\n')
  })

  it('is woken although many runs of other machines are asleep', async () => {
    const sandbox = await createRunSandbox()
    const start = async () => {
      const { id } = await sandbox.hub.runs.start({ command: ['x'], cwd: '/', host: 'far-away', sleeps: true })
      await sandbox.hub.runs.change(id, { status: 'asleep' })
    }
    await Promise.all(Array.from({ length: 1_100 }, start))
    const agent = script(sandbox, 'x=$(beckon ask "Go?"); echo "$x" >log')
    expect((await sandbox.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'yes' })
    expect((await sandbox.run(['run', '--recover'])).code).toBe(0)
    await until(() => text(sandbox, 'log') === 'yes\n', 'its answer')
  }, 120_000)
})

function failAfter(_: unknown): never {
  throw new Error('killed')
}
