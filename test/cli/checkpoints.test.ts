import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../src/protocol/index.ts'
import { takeCheckpoint } from '../../src/supervisor/checkpoint/checkpoint.ts'
import { commit, files, git, read, write } from '../supervisor/repositories.ts'
import { runSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

/** The directory is a repository. */
async function sandbox() {
  const place = await runSandbox()
  git(place.cwd, 'init', '-q', '-b', 'main')
  commit(place.cwd, { a: '1', b: '1' })
  return place
}

async function endedRun({ hub, cwd }: Sandbox, host?: string) {
  const run = await hub.runs.start({ command: ['agent'], cwd, ...(host === undefined ? {} : { host }) })
  await hub.runs.change(run.id, { status: 'completed', exitCode: 0 })
  return run
}

async function listed(place: Sandbox, run: string): Promise<Checkpoint[]> {
  return JSON.parse((await place.run(['runs', 'checkpoints', run, '--json'])).stdout).checkpoints
}

describe('beckon runs checkpoints', () => {
  it('lists them newest first, with what they are about, and takes one when told to', async () => {
    const place = await sandbox()
    const run = await place.hub.runs.start({ command: ['agent'], cwd: place.cwd })
    expect(await place.run(['runs', 'checkpoints', run.id])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The run has no checkpoints.\n',
    })
    const request = await place.ask({ run: run.id, questions: [{ question: 'One?' }] })
    write(place.cwd, { a: '2' })
    const hub = place.hub
    const first = await takeCheckpoint({ hub, run, reason: 'request', requests: [request.id], env: { HOME: '/' } })
    await hub.checkpoints.save({ run: run.id, reason: 'pause', note: 'red \u001b[31m text' })
    const { code, stdout, stderr } = await place.run(['runs', 'checkpoints', run.id, '--take'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Took chk_\w+\.\n$/) })
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^ID +AGE +REASON +FILES +ABOUT$/)
    expect(lines[1]).toMatch(/^chk_\w+ +\d+s +demand +main \+ /)
    expect(lines[2]).toMatch(/^chk_\w+ +\d+s +pause +- +red \\x1b\[31m text$/)
    expect(lines[3]).toMatch(new RegExp(`^${first.id} +\\d+s +request +main \\+ +${request.id}$`))
    const [taken, , oldest] = await listed(place, run.id)
    expect(oldest).toEqual(first)
    expect(taken).toMatchObject({ reason: 'demand', requests: [request.id], logPosition: 0 })
  })

  it('says that there is no such run, and where to take one of another machine', async () => {
    const place = await sandbox()
    expect((await place.run(['runs', 'checkpoints', 'run_none'])).code).toBe(4)
    const elsewhere = await endedRun(place, 'elsewhere')
    const { code, stderr } = await place.run(['runs', 'checkpoints', elsewhere.id, '--take'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('runs on elsewhere') })
  })
})

describe('beckon restore', () => {
  it('brings files back, says what it did, and how to undo it', async () => {
    const place = await sandbox()
    const run = await endedRun(place)
    write(place.cwd, { a: '2', new: '3' })
    const then = files(place.cwd)
    const { id } = await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    git(place.cwd, 'add', '-A')
    commit(place.cwd, { a: '4' })
    rmSync(join(place.cwd, 'b'))
    write(place.cwd, { later: '5' })
    await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    const now = files(place.cwd)

    const { code, document, stderr } = await place.json(['restore', id])
    expect(files(place.cwd)).toEqual(then)
    expect({ code, document }).toEqual({
      code: 0,
      document: { checkpoint: id, restored: ['a', 'b'], removed: ['later'], undo: expect.stringMatching(/^chk_/) },
    })
    for (const line of ['restored  a', 'restored  b', 'removed  later', `beckon restore ${document.undo}`]) {
      expect(stderr).toContain(line)
    }
    expect(stderr).toMatch(/At the checkpoint, HEAD was [0-9a-f]{12} on main\./)
    expect(await place.run(['restore', id])).toMatchObject({ code: 0, stderr: expect.stringContaining('already') })
    expect((await place.run(['restore', document.undo])).code).toBe(0)
    expect(files(place.cwd)).toEqual(now)
  })

  it('refuses to overwrite work that is kept nowhere, and keeps it first when forced', async () => {
    const place = await sandbox()
    const run = await endedRun(place)
    const { id } = await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    write(place.cwd, { a: 'precious', b: 'dear' })
    const refused = await place.json(['restore', id])
    expect(refused).toMatchObject({
      code: 5,
      document: { error: { code: 'not_allowed', details: { files: ['a', 'b'] } } },
      stderr: expect.stringContaining('With --force'),
    })
    expect(read(place.cwd, 'a')).toBe('precious')
    expect(await listed(place, run.id)).toHaveLength(1)

    const { code, document } = await place.json(['restore', id, '--force'])
    expect([code, read(place.cwd, 'a'), read(place.cwd, 'b')]).toEqual([0, '1', '1'])
    const [before] = await listed(place, run.id)
    expect(before).toMatchObject({ id: document.undo, note: `Before restoring ${id}.` })
    expect((await place.run(['restore', document.undo])).code).toBe(0)
    expect([read(place.cwd, 'a'), read(place.cwd, 'b')]).toEqual(['precious', 'dear'])
  })

  it('is for people', async () => {
    const place = await sandbox()
    for (const args of [['restore', 'chk_none'], ['restore', '--wrong'], ['restore']]) {
      const { code, stderr } = await place.run(args, { env: { CLAUDECODE: '1' } })
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('CLAUDECODE') })
    }
    expect((await place.run(['restore', '--help'], { env: { CLAUDECODE: '1' } })).code).toBe(0)
    expect((await place.run(['restore', 'chk_none'])).code).toBe(4)
  })

  it('says why there are no files to go back to, or where they are', async () => {
    const place = await sandbox()
    const run = await endedRun(place)
    const none = await place.hub.checkpoints.save({
      run: run.id,
      reason: 'request',
      note: 'Without a snapshot of the files: slow.',
    })
    expect(await place.run(['restore', none.id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Without a snapshot of the files: slow.'),
    })
    const elsewhere = await takeCheckpoint({
      hub: place.hub,
      run: await endedRun(place, 'elsewhere'),
      reason: 'demand',
    })
    expect(await place.run(['restore', elsewhere.id])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('are on elsewhere'),
    })
    const kept = await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    write(place.cwd, { a: '2' })
    const stranger = await place.hub.runs.start({ command: ['agent'], cwd: join(place.root, 'not-there') })
    const forged = await place.hub.checkpoints.save({ run: stranger.id, reason: 'demand', snapshot: kept.snapshot })
    expect(await place.run(['restore', forged.id, '--force'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('but its run was in'),
    })
    expect(read(place.cwd, 'a')).toBe('2')
    rmSync(join(place.cwd, '.git'), { recursive: true })
    expect(await place.run(['restore', kept.id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is not a git repository'),
    })
    expect(read(place.cwd, 'a')).toBe('2')
  })

  it('does not change files under a run that is running, but where it is stopped', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, '.gitignore'), 'agent.py\nready\n')
    const script = join(place.cwd, 'agent.py')
    writeFileSync(
      script,
      String.raw`
import subprocess, sys, time
asking = subprocess.Popen(["beckon", "ask", "Meanwhile?"], stdin=subprocess.DEVNULL)
open("ready", "w").close()
while open("a").read() == "1": time.sleep(0.01)
print("[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [x, y]\n[/USER_QUESTION]", flush=True)
print("went on with", sys.stdin.readline(), flush=True)
`,
    )
    const running = place.start(['run', '--', 'python3', script])
    const asked = async (question: string) =>
      (await place.hub.list()).requests.find(request => JSON.stringify(request).includes(question))
    // A command of ours is not stopped with the others, and changes no files.
    const meanwhile = await until(() => asked('Meanwhile?'), 'the first question')
    const run = await until(async () => (await place.hub.runs.list())[0], 'the run')
    const { id } = await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    write(place.cwd, { b: '2' })
    await takeCheckpoint({ hub: place.hub, run, reason: 'demand' })
    const refused = await place.run(['restore', id])
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`beckon runs pause ${run.id}`) })
    expect(read(place.cwd, 'b')).toBe('2')

    await place.run(['runs', 'pause', run.id])
    await until(async () => (await place.run(['restore', id])).code === 0, 'it to be stopped')
    expect(read(place.cwd, 'b')).toBe('1')

    await place.run(['runs', 'resume', run.id])
    write(place.cwd, { a: 'go', b: '2' })
    const request = await until(() => asked('Which?'), 'the second question')
    await until(() => running.written().stderr.includes(request.id), 'the announcement')
    expect((await place.run(['restore', id, '--force'])).code).toBe(0)
    expect(read(place.cwd, 'b')).toBe('1')
    await place.hub.cancel(meanwhile.id)
    await place.hub.answer(request.id, { value: 'x' })
    expect((await running.result).stdout).toContain('went on with x')
  }, 60_000)
})

describe('beckon gc', () => {
  it('deletes the checkpoints and logs of the runs that it deletes, with their snapshots', async () => {
    const place = await sandbox()
    const [old, kept] = [await endedRun(place), await place.hub.runs.start({ command: ['agent'], cwd: place.cwd })]
    await takeCheckpoint({ hub: place.hub, run: old, reason: 'demand' })
    const { snapshot } = await takeCheckpoint({ hub: place.hub, run: kept, reason: 'demand' })
    for (const { id } of [old, kept]) mkdirSync(join(place.home, 'runs', id, 'log'), { recursive: true })
    await sleep(5)
    const { document } = await place.json(['gc', '--older-than', '1ms'])
    expect(document).toMatchObject({ runs: 1, checkpoints: 1 })
    expect(git(place.cwd, 'for-each-ref', '--format=%(refname)', 'refs/beckon').trim()).toBe(snapshot?.ref)
    expect(await listed(place, kept.id)).toHaveLength(1)
    expect(readdirSync(join(place.home, 'runs'))).toEqual([kept.id])
  })
})
