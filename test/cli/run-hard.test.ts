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
import { runSandbox } from './run-sandbox.ts'
import { launcher, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const question = String.raw`printf '[USER_QUESTION]\ncategory: clarification\nquestion: Go?\n[/USER_QUESTION]\n'`

function script(place: Sandbox, text: string, name = 'agent.sh'): string[] {
  writeFileSync(join(place.cwd, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  return ['bash', join(place.cwd, name)]
}

function fakeClaude(place: Sandbox): string {
  const says = (text: string) =>
    JSON.stringify({ type: 'assistant', session_id: 's-1', message: { content: [{ type: 'text', text }] } })
  const block = '[USER_QUESTION]\ncategory: clarification\nquestion: Go?\n[/USER_QUESTION]'
  writeFileSync(join(place.cwd, 'events'), `${says(block)}\n`)
  return script(place, `case "$*" in *--resume*) echo "$*" >>log;; *) cat events;; esac`, 'claude')[1] ?? ''
}

function text(place: Sandbox, name: string): string {
  const file = join(place.cwd, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function theRun(place: Sandbox) {
  return until(async () => (await place.hub.runs.list())[0], 'a run')
}

async function statusIs(place: Sandbox, status: string) {
  return until(async () => (await place.hub.runs.list()).find(run => run.status === status), `a run that is ${status}`)
}

describe('a run in a hard case', () => {
  it('keeps a secret out of its log that a command inside of it has opened', async () => {
    const place = await runSandbox()
    const agent = script(place, `beckon need api_key MYKEY --description d -- sh -c 'echo "key $MYKEY"'`)
    const running = place.start(['run', '--', ...agent])
    const { id } = await place.pending()
    await place.hub.answer(id, { value: 'canary-30303-canary' })
    expect((await running.result).code).toBe(0)
    const { stdout } = await place.run(['runs', 'logs', (await theRun(place)).id])
    expect(stdout).toBe('key [redacted]\n')
  })

  it('keeps it out also when its supervisor hears late that it was opened', async () => {
    const place = await runSandbox()
    const agent = script(place, `beckon need api_key MYKEY --description d -- sh -c 'echo "key $MYKEY"'`)
    const running = place.start(['run', '--', ...agent])
    const { id } = await place.pending()
    running.child.kill('SIGSTOP')
    await place.hub.answer(id, { value: 'canary-30303-canary' })
    await until(async () => (await place.hub.get(id)).usedAt, 'the command that opens it')
    await sleep(500)
    running.child.kill('SIGCONT')
    expect((await running.result).code).toBe(0)
    const { stdout } = await place.run(['runs', 'logs', (await theRun(place)).id])
    expect(stdout).toBe('key [redacted]\n')
  })

  it('does not go on after a question that was withdrawn because the run was stopped', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...script(place, 'beckon ask "Go?" --option yes; touch after')])
    const { id } = await place.pending()
    const { id: run } = await theRun(place)
    // However late its supervisor hears of it.
    running.child.kill('SIGSTOP')
    await place.hub.runs.change(run, { status: 'stopped' })
    expect((await place.hub.get(id)).status).toBe('cancelled')
    await sleep(1_500)
    running.child.kill('SIGCONT')
    await running.result
    await until(() => processesOf(run).length === 0, 'the end of its processes')
    expect(existsSync(join(place.cwd, 'after'))).toBe(false)
  })

  it('gives an answer to the next turn, also when its supervisor was killed between two of them', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--format', 'claude', '--', fakeClaude(place), '-p', 'x'])
    const { id } = await place.pending()
    const { id: run } = await theRun(place)
    await until(() => processesOf(run).length === 0, 'the end of its turn')
    running.child.kill('SIGKILL')
    await running.result
    await place.hub.answer(id, { value: 'later' })
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    await statusIs(place, 'completed')
    expect(text(place, 'log')).toMatch(/--resume s-1 .*later\n$/)
  })

  it('wakes the others when one cannot be brought back, and says of that one that it failed', async () => {
    const place = await runSandbox()
    for (const name of ['one', 'two']) {
      const agent = script(place, `x=$(beckon ask "${name}?"); echo "$x" >"got-${name}"`, `${name}.sh`)
      expect((await place.run(['run', '--name', name, '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    }
    const broken = (await place.hub.runs.list()).find(({ name }) => name === 'one')?.id ?? ''
    writeFileSync(join(place.home, 'runs', broken, 'environment'), 'garbage')
    for (const { id } of (await place.hub.list()).requests) await place.run(['answer', id, 'yes'])
    await until(() => text(place, 'got-two') === 'yes\n', 'the other one')
    await until(async () => (await place.hub.runs.get(broken)).status === 'failed', 'the failure')
  }, 60_000)

  it('leaves one alone whose folder is elsewhere, and does not look for it for ever', async () => {
    const place = await runSandbox()
    const agent = script(place, 'beckon ask "Go?"')
    expect((await place.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const run = await theRun(place)
    rmSync(join(place.home, 'runs', run.id), { recursive: true })
    await place.hub.answer((await place.pending()).id, { value: 'yes' })
    expect((await place.run(['run', '--recover'])).code).toBe(0)
  })

  it('does not start an agent again and again that does not read its answer', async () => {
    const place = await runSandbox()
    const agent = script(place, `echo start >>log; exec 0<&-; ${question}; sleep 0.3; exit 1`)
    const running = place.start(['run', '--sleep-after', '1h', '--', ...agent])
    await place.hub.answer((await place.pending()).id, { value: 'yes' })
    expect((await running.result).code).toBe(1)
    expect(text(place, 'log').split('\n').filter(Boolean).length).toBeLessThanOrEqual(2)
  })

  it('ends with the terminal that it was started in', async () => {
    const place = await runSandbox()
    const screen = terminal(place, ['run', '--', ...script(place, `${question}; read -r x`)])
    await screen.shows('leave open')
    const { id } = await place.pending()
    // Another one keeps the server of the terminals alive.
    screen.tmux('new-session', '-d', '-s', 'other', 'sleep 600')
    screen.tmux('kill-session', '-t', '0')
    await statusIs(place, 'stopped')
    expect((await place.hub.get(id)).status).toBe('cancelled')
  })

  it('goes on after a long answer that came while it was paused', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...script(place, `${question}; read -r x; echo "\${#x}" >log`)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const run = await theRun(place)
    await place.run(['runs', 'pause', run.id])
    await place.hub.answer(id, { value: 'x'.repeat(300_000) })
    await sleep(300)
    expect(text(place, 'log')).toBe('')
    await place.run(['runs', 'resume', run.id])
    expect((await running.result).code).toBe(0)
    expect(text(place, 'log')).toBe('300000\n')
  })

  it('has its answers on stdin, also where nothing else is to come', async () => {
    const place = await runSandbox()
    const running = place.start([
      'run',
      '--stdin',
      'none',
      '--',
      ...script(place, `${question}; read -r x; echo "$x" >log`),
    ])
    await place.hub.answer((await place.pending()).id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expect(text(place, 'log')).toBe('yes\n')
  })

  it('is stopped, also when it names a program of ours in its arguments', async () => {
    const place = await runSandbox()
    const agent = script(place, `${question}; read -r x`)
    const running = place.start(['run', '--', ...agent, launcher])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const { pid } = await theRun(place)
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0]).toBe('T')
    await place.hub.answer(id, { value: 'yes' })
    await running.result
  })

  it('stays paused between two turns', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--format', 'claude', '--', fakeClaude(place), '-p', 'x'])
    const { id } = await place.pending()
    const run = await theRun(place)
    await until(() => processesOf(run.id).length === 0, 'the end of its turn')
    await place.run(['runs', 'pause', run.id])
    await place.run(['answer', id, 'yes'])
    await sleep(500)
    expect(text(place, 'log')).toBe('')
    await place.run(['runs', 'resume', run.id])
    expect((await running.result).code).toBe(0)
    expect(text(place, 'log')).toContain('yes')
  })

  it('ends when its agent does, whatever that left behind', async () => {
    const place = await runSandbox()
    const { code, stdout } = await place.run(['run', '--', 'bash', '-c', 'sleep 600 & echo hi; exit 3'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'hi\n' })
    const aborted = await place.run(['run', '--', 'bash', '-c', 'kill -ABRT $$'])
    expect(aborted.code).toBe(134)
  })
})

describe('a run that changes hands', () => {
  it('keeps each moment once: its start, and what it asks', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--', ...script(place, `${question}; read -r x; echo "$x" >log`)])
    const { id } = await place.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = place.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    await place.hub.answer(id, { value: 'yes' })
    expect((await recovering.result).code).toBe(0)
    const kept = await place.hub.checkpoints.list((await theRun(place)).id)
    expect(kept.map(({ reason, requests }) => [reason, requests])).toEqual([
      ['request', [id]],
      ['start', []],
    ])
  })

  it('stays paused, and goes on when it is resumed', async () => {
    const place = await runSandbox()
    const agent = script(place, 'echo $$ >pid; while [ ! -e go ]; do sleep 0.05; done; echo gone >log')
    const running = place.start(['run', '--', ...agent])
    const pid = await until(() => text(place, 'pid').trim(), 'its first step')
    const state = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0]
    const run = await theRun(place)
    await place.run(['runs', 'pause', run.id])
    await until(() => state() === 'T', 'its pause')
    running.child.kill('SIGKILL')
    await running.result
    const recovering = place.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    writeFileSync(join(place.cwd, 'go'), '')
    await sleep(300)
    expect([state(), (await place.hub.runs.get(run.id)).status]).toEqual(['T', 'paused'])
    await place.run(['runs', 'resume', run.id])
    expect((await recovering.result).code).toBe(0)
    expect(text(place, 'log')).toBe('gone\n')
  })

  it('begins its next turn once, whoever would begin it', async () => {
    const place = await runSandbox()
    const running = place.start(['run', '--format', 'claude', '--', fakeClaude(place), '-p', 'x'])
    const { id } = await place.pending()
    const { id: run } = await theRun(place)
    await until(() => processesOf(run).length === 0, 'the end of its turn')
    await place.hub.answer(id, { value: 'later' })
    const others = await Promise.all([1, 2, 3].map(() => place.run(['run', '--recover'])))
    expect(others.map(({ code }) => code)).toEqual([0, 0, 0])
    await running.result
    await statusIs(place, 'completed')
    expect(text(place, 'log').split('\n').filter(Boolean)).toHaveLength(1)
  })

  it('comes back, when it was leased to one who died before it began', async () => {
    const place = await runSandbox()
    const agent = script(place, 'x=$(beckon ask "Go?"); echo "$x" >>log')
    expect((await place.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const run = await statusIs(place, 'asleep')
    const folder = join(place.home, 'runs', run.id)
    expect(existsSync(join(folder, 'exit.json'))).toBe(true)
    // How the start before has ended, as if it had gone well.
    writeFileSync(join(folder, 'exit.json'), JSON.stringify({ code: 0, signal: null, error: null, at: 0 }))
    // Nobody else wakes it meanwhile.
    const lock = createLock(recoveryLockFile(place.home))
    expect(lock.take()).toBe(true)
    await place.hub.answer((await place.pending()).id, { value: 'yes' })
    const settings = readSettings(folder) as RunSettings
    const dying = {
      ...place.hub,
      runs: { ...place.hub.runs, start: async (input: StartRunInput) => dieAfter(await place.hub.runs.start(input)) },
    }
    const sealer = { seal: async () => Buffer.of(), open: async () => '{}' }
    const dead = {
      hub: dying,
      home: place.home,
      holder: '',
      ownPrograms: [],
      sealer,
      shipsLogs: false,
      overHttp: false,
      env: {},
    }
    await expect(restartRun(dead, run, settings)).rejects.toThrow('killed')
    expect((await place.hub.runs.get(run.id)).status).toBe('running')
    lock.release()
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    await statusIs(place, 'completed')
    expect(text(place, 'log')).toBe('yes\n')
  })

  it('is told to be woken, when it was answered while it fell asleep', async () => {
    const place = await runSandbox()
    const agent = script(
      place,
      `[ -e slept ] || trap 'touch slept; while [ ! -e answered ]; do sleep 0.05; done; exit 0' TERM; ${question}; read -r x; echo "$x" >log`,
    )
    const running = place.start(['run', '--sleep-after', '200ms', '--', ...agent])
    const { id } = await place.pending()
    await until(() => existsSync(join(place.cwd, 'slept')), 'its falling asleep')
    await place.hub.answer(id, { value: 'yes' })
    writeFileSync(join(place.cwd, 'answered'), '')
    const { code, stderr } = await running.result
    expect({ code, told: stderr.includes('sleeps; it was answered, and is woken') }).toEqual({ code: 75, told: true })
    await statusIs(place, 'completed')
    expect(text(place, 'log')).toBe('yes\n')
  })

  it('is woken, however many of other machines sleep before it', async () => {
    const place = await runSandbox()
    const start = async () => {
      const { id } = await place.hub.runs.start({ command: ['x'], cwd: '/', host: 'far-away', sleeps: true })
      await place.hub.runs.change(id, { status: 'asleep' })
    }
    await Promise.all(Array.from({ length: 1_100 }, start))
    const agent = script(place, 'x=$(beckon ask "Go?"); echo "$x" >log')
    expect((await place.run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    await place.hub.answer((await place.pending()).id, { value: 'yes' })
    expect((await place.run(['run', '--recover'])).code).toBe(0)
    await until(() => text(place, 'log') === 'yes\n', 'its waking')
  }, 120_000)
})

function dieAfter(_: unknown): never {
  throw new Error('killed')
}
