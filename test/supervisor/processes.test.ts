import type { SpawnOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { continueAll, endAll, processesOf, stopAll } from '../../src/supervisor/processes/processes.ts'
import { identify, isSameProcess } from '../../src/system/processes/identity.ts'
import { type Counters, livingProcesses, parentOf, sessionOf, startCounters, stateOf } from './counters.ts'

/** Every way to belong to a run and be hard to find. */
const family = `
bash count child &
(bash count grandchild & wait) &
setsid bash -c 'bash count detached & exit' &
env -i PATH="$PATH" bash count cleared &
env -i PATH="$PATH" setsid bash count cleared_and_detached &
setsid bash -c '(env -i PATH="$PATH" bash count cleared_orphan &); exec bash count leader' &
while :; do sleep 0.02 & echo >> forker; read -t 0.003 -u 9; done 9<> <(:) &
exec bash count root
`
const members = [
  'root',
  'child',
  'grandchild',
  'detached',
  'cleared',
  'cleared_and_detached',
  'cleared_orphan',
  'leader',
]

let counters: Counters
let run: string

/** Starts a script, and returns its session once all of these count. */
async function start(script: string, names: string[], { as = run, ...options }: SpawnOptions & { as?: string } = {}) {
  const { pid = 0 } = counters.bash(as, script, options)
  await counters.started(...names)
  return pid
}

/** Polls until the check passes. */
function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 })
}

/** Runs as a user who may not signal the processes of others. */
async function asUnprivilegedUser(work: () => Promise<void>): Promise<void> {
  process.seteuid?.(65_534)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe.runIf(process.platform === 'linux')('the processes of a run', { timeout: 60_000 }, () => {
  beforeEach(() => {
    counters = startCounters()
    run = `run_${randomUUID()}`
  })

  afterEach(() => counters.end())

  describe('are found', () => {
    it('in its session, by its id, among their children and in sessions they opened', async () => {
      const root = await start(family, members)
      expect(sessionOf(counters.pid('cleared'))).toBe(root)
      expect(sessionOf(counters.pid('detached'))).not.toBe(root)
      await eventually(() => expect(parentOf(parentOf(counters.pid('detached')))).toBeLessThan(2))
      expect(parentOf(counters.pid('cleared_and_detached'))).toBe(root)

      const found = processesOf(run, { sessions: [root] })
      expect(found).toEqual(expect.arrayContaining(members.map(counters.pid)))
      expect(found).not.toContain(counters.pid('control'))
    })

    it('parents before their children', async () => {
      const root = await start('(bash count grandchild & wait) & exec bash count root', ['root', 'grandchild'])
      const middle = parentOf(counters.pid('grandchild'))
      expect(processesOf(run)).toEqual([root, middle, counters.pid('grandchild')])
    })

    it('without the excepted ones, but with their children', async () => {
      const root = await start('env -i PATH="$PATH" setsid bash count child & exec bash count root', ['root', 'child'])
      expect(processesOf(run, { except: [root] })).toEqual([counters.pid('child')])
    })

    it('without zombies', async () => {
      const { pid: parent = 0 } = counters.bash(run, zombie)
      await eventually(() => expect(stateOf(counters.pid('zombie'))).toBe('Z'))
      expect(parentOf(counters.pid('zombie'))).toBe(parent)
      expect(processesOf(run)).toEqual([parent])
    })

    it('by the complete id of the run', async () => {
      const root = await start('exec bash count longer', ['longer'], { as: `${run}_longer` })
      expect(processesOf(run)).toEqual([])
      expect(processesOf(`${run}_longer`)).toEqual([root])
    })

    it('without this process and its ancestors', async () => {
      const session = sessionOf(process.pid)
      const child = await start('exec bash count child', ['child'], { detached: false })
      const found = processesOf(run, { sessions: [session] })
      expect(found).toContain(child)
      expect(found).not.toContain(process.pid)
      expect(found).not.toContain(process.ppid)
    })

    it('not in a session whose id now belongs to another process', async () => {
      const otherProcess = await start('exec bash count stranger', ['stranger'], { as: 'another_run' })
      const id = identify(otherProcess) ?? expect.fail('the stranger is gone')
      expect(processesOf(run, { sessions: [id] })).toEqual([otherProcess])
      expect(processesOf(run, { sessions: [{ ...id, startedAt: '1' }] })).toEqual([])
      expect(processesOf(run, { sessions: [{ ...id, boot: 'before' }] })).toEqual([])
    })

    it('if their first thread has ended', async () => {
      counters.python(run, threads)
      const [pid = 0] = await counters.started('thread')
      await eventually(() => expect(stateOf(pid)).toBe('Z'))
      expect(processesOf(run)).toEqual([pid])
      expect((await stopAll(run)).stopped).toEqual([pid])
      expect(await counters.stillCounting('thread')).toEqual([])
    })
  })

  describe('are stopped', () => {
    it('all of them, even hidden ones, and no others', async () => {
      const other = await start('exec bash count other', ['other'], { as: 'another_run' })
      const root = await start(family, members)
      const { stopped, late, refused } = await stopAll(run, { sessions: [root] })

      expect(await counters.stillCounting(...members, 'forker', 'other')).toEqual(['other'])
      expect(stopped).toEqual(expect.arrayContaining(members.map(counters.pid)))
      expect(stopped).not.toContain(other)
      expect(stopped.map(stateOf)).toEqual(stopped.map(() => 'T'))
      expect([late, refused]).toEqual([[], []])
      expect(processesOf(run, { sessions: [root] }).toSorted()).toEqual(stopped.toSorted())
    })

    it('without a given session', async () => {
      const names = ['root', 'child', 'detached']
      await start('bash count child & setsid bash count detached & exec bash count root', names)
      await stopAll(run)
      expect(await counters.stillCounting(...names)).toEqual([])
    })

    it('without stopping our own process group, which contains one of them', async () => {
      await start('exec bash count child', ['child'], { detached: false })
      const bystander = counters.bash(null, 'exec bash count bystander', { detached: false })
      await counters.started('bystander')
      await stopAll(run)
      expect(await counters.stillCounting('child', 'bystander')).toEqual(['bystander'])
      expect(stateOf(bystander.pid ?? 0)).not.toBe('T')
    })

    it('but not an excepted one that leads their session', async () => {
      const root = await start('bash count child & exec bash count root', ['root', 'child'])
      await stopAll(run, { sessions: [root], except: [root] })
      expect(await counters.stillCounting('root', 'child')).toEqual(['root'])
    })

    it('even one that forks and exits continuously', async () => {
      counters.python(run, forkAndExit)
      await eventually(() => expect(counters.has('comet')).toBe(true))
      const { stopped } = await stopAll(run)
      expect(await counters.stillCounting('comet')).toEqual([])
      expect(stopped.map(stateOf)).toContain('T')
    })

    it('except one that waits in the kernel for a stopped child, which is reported as late', async () => {
      const { pid: parent } = counters.python(run, waitingForChild)
      const [child] = await counters.started('child')
      await eventually(() => expect(stateOf(parent ?? 0)).toBe('D'))
      expect(await stopAll(run)).toEqual({ stopped: [child], late: [parent], refused: [] })
      expect(await counters.stillCounting('child')).toEqual([])
      await continueAll(run)
      expect(await counters.stillCounting('child')).toEqual(['child'])
    })

    it('also if there are none', async () => {
      expect(await stopAll(run, { sessions: [] })).toEqual({ stopped: [], late: [], refused: [] })
    })
  })

  describe('are continued', () => {
    it('all of them', async () => {
      const root = await start(family, members)
      const { stopped } = await stopAll(run, { sessions: [root] })
      const { continued, refused } = await continueAll(run, { sessions: [root] })

      expect(await counters.stillCounting(...members, 'forker')).toEqual([...members, 'forker'])
      expect(continued).toEqual(expect.arrayContaining(stopped))
      expect(refused).toEqual([])
    })

    it('children first, so that no shell takes its job as suspended', async () => {
      const root = await start('set -m; bash count job; echo $? > ended', ['job'])
      for (let time = 0; time < 20; time += 1) {
        await stopAll(run, { sessions: [root] })
        await continueAll(run, { sessions: [root] })
      }
      expect(await counters.stillCounting('job')).toEqual(['job'])
      expect(counters.has('ended')).toBe(false)
    })
  })

  describe('are ended', () => {
    it('all of them with SIGTERM', async () => {
      const other = await start('exec bash count other', ['other'], { as: 'another_run' })
      const root = await start(family, members)
      const pids = members.map(counters.pid)
      expect(await endAll(run, { sessions: [root], grace: 20_000 })).toEqual({ killed: false, refused: [] })

      const living = livingProcesses()
      expect(pids.filter(pid => living.includes(pid))).toEqual([])
      expect(processesOf(run, { sessions: [root] })).toEqual([])
      expect(living).toContain(other)
      expect(await counters.stillCounting(...members, 'forker', 'other')).toEqual(['other'])
    })

    it('by SIGKILL after the grace period, with all processes that they start', async () => {
      const script = `trap '' TERM; setsid bash count detached & bash count child & ${forking}`
      const root = await start(script, ['child', 'detached'])
      const before = performance.now()
      expect(await endAll(run, { sessions: [root], grace: 300 })).toEqual({ killed: true, refused: [] })

      expect(performance.now() - before).toBeGreaterThanOrEqual(300)
      expect(processesOf(run, { sessions: [root] })).toEqual([])
      expect(await counters.stillCounting('child', 'detached', 'forker')).toEqual([])
    })

    it('at once if they are stopped, after handling SIGTERM', async () => {
      const script =
        'trap "echo asked > said; exit 0" TERM; echo $$ > root.pid; echo >> root; while :; do read -t 0.01 -u 9; done 9<> <(:)'
      const child = counters.bash(run, script)
      await eventually(() => expect(counters.has('root')).toBe(true))
      await stopAll(run)
      const exit = once(child, 'exit')
      expect(await endAll(run, { grace: 20_000 })).toEqual({ killed: false, refused: [] })
      expect(readFileSync(join(counters.folder, 'said'), 'utf8')).toBe('asked\n')
      expect(await exit).toEqual([0, null])
    })

    it('with children that only a parent tied to the run, even if the parent ends first', async () => {
      const stubborn = `trap "" TERM; exec bash count stubborn`
      await start(`env -i PATH="$PATH" setsid bash -c '${stubborn}' & exec bash count root`, ['root', 'stubborn'])
      const pid = counters.pid('stubborn')
      expect(await endAll(run, { grace: 300 })).toEqual({ killed: true, refused: [] })
      expect(livingProcesses()).not.toContain(pid)
    })

    it('with time for their cleanup', async () => {
      const cleanUp = 'bash -c "sleep 0.2; echo clean > said"; exit 0'
      await start(`trap '${cleanUp}' TERM; bash count child & while :; do read -t 0.01 -u 9; done 9<> <(:)`, ['child'])
      expect(await endAll(run, { grace: 20_000 })).toEqual({ killed: false, refused: [] })
      expect(counters.has('said')).toBe(true)
    })

    it('also if there are none', async () => {
      expect(await endAll(run, { grace: 1000 })).toEqual({ killed: false, refused: [] })
    })
  })

  describe.runIf(process.getuid?.() === 0)('of another user', () => {
    it('are reported as refused', async () => {
      const session = await start('bash count child & exec bash count root', ['root', 'child'], { uid: 65_533 })
      const refused = [session, counters.pid('child')]
      await asUnprivilegedUser(async () => {
        expect(await stopAll(run, { sessions: [session] })).toEqual({ stopped: [], late: [], refused })
        expect(await continueAll(run, { sessions: [session] })).toEqual({
          continued: [],
          refused: refused.toReversed(),
        })
        expect(await endAll(run, { sessions: [session], grace: 20_000 })).toEqual({ killed: false, refused })
      })
      expect(await counters.stillCounting('root', 'child')).toEqual(['root', 'child'])
    })

    it('are given up if they keep appearing', async () => {
      const session = await start(`${forking} & ${forking} & exec bash count root`, ['root'], { uid: 65_533 })
      const givenUp = {
        code: 'timed_out',
        message: expect.stringContaining('faster than they can be stopped'),
        details: { stopped: [], refused: expect.arrayContaining([session]) },
      }
      // Several attempts, because two scans can agree by chance.
      const attempt = () => expect(stopAll(run, { sessions: [session] })).rejects.toMatchObject(givenUp)
      await asUnprivilegedUser(() => vi.waitFor(attempt, { timeout: 30_000 }))
    })
  })
})

describe.runIf(process.platform === 'linux')('a process', () => {
  beforeEach(() => {
    counters = startCounters()
  })

  afterEach(() => counters.end())

  it('is the same while it lives', async () => {
    const child = counters.bash(null, 'exec bash count child')
    const [pid = 0] = await counters.started('child')
    const id = identify(pid) ?? expect.fail('it is gone')
    expect(id).toEqual({
      pid,
      startedAt: expect.stringMatching(/^\d+$/),
      boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(isSameProcess(id)).toBe(true)
    process.kill(pid, 'SIGSTOP')
    expect(isSameProcess(id)).toBe(true)

    const exit = once(child, 'exit')
    process.kill(pid, 'SIGKILL')
    await exit
    expect(isSameProcess(id)).toBe(false)
    expect(identify(pid)).toBe(null)
  })

  it('is not the one that had its id before, or before a reboot', () => {
    const id = identify(process.pid) ?? expect.fail('we are gone')
    expect(isSameProcess(id)).toBe(true)
    expect(isSameProcess({ ...id, startedAt: '1' })).toBe(false)
    expect(isSameProcess({ ...id, boot: 'before' })).toBe(false)
  })

  it('is gone if it is a zombie', async () => {
    counters.bash(null, zombie)
    await eventually(() => expect(stateOf(counters.pid('zombie'))).toBe('Z'))
    expect(identify(counters.pid('zombie'))).toBe(null)
  })
})

describe('on Windows', () => {
  const { platform } = process

  beforeEach(() => {
    Object.defineProperty(process, 'platform', { value: 'win32' })
  })

  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform })
  })

  it('supervised runs are refused with a reason', async () => {
    expect(() => processesOf('run')).toThrow('Supervised runs need Linux or macOS')
    expect(() => identify(process.pid)).toThrow(expect.objectContaining({ code: 'unsupported' }))
    await expect(stopAll('run')).rejects.toMatchObject({ code: 'unsupported' })
  })
})

/** Starts a short-lived process every few milliseconds. */
const forking = 'while :; do sleep 0.05 & echo >> forker; read -t 0.002 -u 9; done 9<> <(:)'

/** A child that is never waited for; a shell would wait. */
const zombie = 'sleep 0.2 & echo $! > zombie.pid; exec sleep 1000'

/** Ends its first thread, and counts in another one. */
const threads = `
import ctypes, os, threading, time
def count():
    open('thread.pid', 'w').write(str(os.getpid()))
    while True:
        open('thread', 'a').write('.')
        time.sleep(0.005)
threading.Thread(target=count).start()
ctypes.CDLL(None).pthread_exit(None)
`

/** Forks and exits repeatedly. */
const forkAndExit = `
import os
while True:
    if os.fork(): os._exit(0)
    open('comet', 'a').write('.')
`

/** Waits in the kernel, as after vfork, until its child starts a program, which never happens. */
const waitingForChild = `
import ctypes, os, platform, time
clone = 220 if platform.machine() == 'aarch64' else 56
vfork, sigchld = 0x4000, 17
if ctypes.CDLL(None).syscall(clone, vfork | sigchld, 0, 0, 0, 0) == 0:
    open('child.pid', 'w').write(str(os.getpid()))
    while True:
        open('child', 'a').write('.')
        time.sleep(0.005)
`
