import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../src/protocol/index.ts'
import { takeCheckpoint } from '../../src/supervisor/checkpoint/checkpoint.ts'
import { commit, files, git, read, write } from '../supervisor/repositories.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

/** A sandbox whose working directory is a git repository. */
async function createRepositorySandbox() {
  const sandbox = await createRunSandbox()
  git(sandbox.cwd, 'init', '-q', '-b', 'main')
  commit(sandbox.cwd, { a: '1', b: '1' })
  return sandbox
}

async function endedRun({ hub, cwd }: Sandbox, host?: string) {
  const run = await hub.runs.start({ command: ['agent'], cwd, ...(host === undefined ? {} : { host }) })
  await hub.runs.change(run.id, { status: 'completed', exitCode: 0 })
  return run
}

async function listCheckpoints(sandbox: Sandbox, run: string): Promise<Checkpoint[]> {
  return JSON.parse((await sandbox.run(['runs', 'checkpoints', run, '--json'])).stdout).checkpoints
}

describe('beckon runs checkpoints', () => {
  it('lists checkpoints newest first with their subject, and takes one with --take', async () => {
    const sandbox = await createRepositorySandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    expect(await sandbox.run(['runs', 'checkpoints', run.id])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The run has no checkpoints.\n',
    })
    const request = await sandbox.ask({ run: run.id, questions: [{ question: 'One?' }] })
    write(sandbox.cwd, { a: '2' })
    const hub = sandbox.hub
    const first = await takeCheckpoint({ hub, run, reason: 'request', requests: [request.id], env: { HOME: '/' } })
    await hub.checkpoints.save({ run: run.id, reason: 'pause', note: 'red \u001b[31m text' })
    const { code, stdout, stderr } = await sandbox.run(['runs', 'checkpoints', run.id, '--take'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Took chk_\w+\.\n$/) })
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^ID +AGE +REASON +FILES +ABOUT$/)
    expect(lines[1]).toMatch(/^chk_\w+ +\d+s +demand +main \+ /)
    expect(lines[2]).toMatch(/^chk_\w+ +\d+s +pause +- +red \\x1b\[31m text$/)
    expect(lines[3]).toMatch(new RegExp(`^${first.id} +\\d+s +request +main \\+ +${request.id}$`))
    const [taken, , oldest] = await listCheckpoints(sandbox, run.id)
    expect(oldest).toEqual(first)
    expect(taken).toMatchObject({ reason: 'demand', requests: [request.id], logPosition: 0 })
  })

  it('reports an unknown run, and names the machine of a run that is elsewhere', async () => {
    const sandbox = await createRepositorySandbox()
    expect((await sandbox.run(['runs', 'checkpoints', 'run_none'])).code).toBe(4)
    const elsewhere = await endedRun(sandbox, 'elsewhere')
    const { code, stderr } = await sandbox.run(['runs', 'checkpoints', elsewhere.id, '--take'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('runs on elsewhere') })
  })
})

describe('beckon restore', () => {
  it('restores files, and prints what it did and how to undo it', async () => {
    const sandbox = await createRepositorySandbox()
    const run = await endedRun(sandbox)
    write(sandbox.cwd, { a: '2', new: '3' })
    const then = files(sandbox.cwd)
    const { id } = await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    git(sandbox.cwd, 'add', '-A')
    commit(sandbox.cwd, { a: '4' })
    rmSync(join(sandbox.cwd, 'b'))
    write(sandbox.cwd, { later: '5' })
    await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    const now = files(sandbox.cwd)

    const { code, document, stderr } = await sandbox.json(['restore', id])
    expect(files(sandbox.cwd)).toEqual(then)
    expect({ code, document }).toEqual({
      code: 0,
      document: { checkpoint: id, restored: ['a', 'b'], removed: ['later'], undo: expect.stringMatching(/^chk_/) },
    })
    for (const line of ['restored  a', 'restored  b', 'removed  later', `beckon restore ${document.undo}`]) {
      expect(stderr).toContain(line)
    }
    expect(stderr).toMatch(/At the checkpoint, HEAD was [0-9a-f]{12} on main\./)
    expect(await sandbox.run(['restore', id])).toMatchObject({ code: 0, stderr: expect.stringContaining('already') })
    expect((await sandbox.run(['restore', document.undo])).code).toBe(0)
    expect(files(sandbox.cwd)).toEqual(now)
  })

  it("undoes the run's own later edit without --force, and keeps it", async () => {
    const sandbox = await createRepositorySandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    const { id } = await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    write(sandbox.cwd, { a: 'by the run', later: 'too' })
    await sandbox.hub.runs.change(run.id, { status: 'completed', exitCode: 0 })
    const { code, document, stderr } = await sandbox.json(['restore', id.slice(-6)])
    expect([code, document.restored, document.removed]).toEqual([0, ['a'], ['later']])
    expect(stderr).toContain(`To undo this: beckon restore ${document.undo}`)
    expect(read(sandbox.cwd, 'a')).toBe('1')
    expect((await sandbox.run(['restore', document.undo])).code).toBe(0)
    expect([read(sandbox.cwd, 'a'), read(sandbox.cwd, 'later')]).toEqual(['by the run', 'too'])

    write(sandbox.cwd, { a: 'by a person, afterwards' })
    expect(await sandbox.json(['restore', id])).toMatchObject({
      code: 5,
      document: { error: { details: { files: ['a'] } } },
    })
    expect(read(sandbox.cwd, 'a')).toBe('by a person, afterwards')
  })

  it('refuses to overwrite unsaved work, and saves it first with --force', async () => {
    const sandbox = await createRepositorySandbox()
    const run = await endedRun(sandbox)
    const { id } = await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    write(sandbox.cwd, { a: 'precious', b: 'dear' })
    const refused = await sandbox.json(['restore', id])
    expect(refused).toMatchObject({
      code: 5,
      document: { error: { code: 'not_allowed', details: { files: ['a', 'b'] } } },
      stderr: expect.stringContaining('With --force'),
    })
    expect(read(sandbox.cwd, 'a')).toBe('precious')
    expect(await listCheckpoints(sandbox, run.id)).toHaveLength(1)

    const { code, document } = await sandbox.json(['restore', id, '--force'])
    expect([code, read(sandbox.cwd, 'a'), read(sandbox.cwd, 'b')]).toEqual([0, '1', '1'])
    const [before] = await listCheckpoints(sandbox, run.id)
    expect(before).toMatchObject({ id: document.undo, note: `Before restoring ${id}.` })
    expect((await sandbox.run(['restore', document.undo])).code).toBe(0)
    expect([read(sandbox.cwd, 'a'), read(sandbox.cwd, 'b')]).toEqual(['precious', 'dear'])
  })

  it("is refused in an agent's shell", async () => {
    const sandbox = await createRepositorySandbox()
    for (const args of [['restore', 'chk_none'], ['restore', '--wrong'], ['restore']]) {
      const { code, stderr } = await sandbox.run(args, { env: { CLAUDECODE: '1' } })
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('belongs to an agent') })
    }
    expect((await sandbox.run(['restore', '--help'], { env: { CLAUDECODE: '1' } })).code).toBe(0)
    expect((await sandbox.run(['restore', 'chk_none'])).code).toBe(4)
  })

  it('explains why a checkpoint cannot be restored here', async () => {
    const sandbox = await createRepositorySandbox()
    const run = await endedRun(sandbox)
    const none = await sandbox.hub.checkpoints.save({
      run: run.id,
      reason: 'request',
      note: 'Without a snapshot of the files: slow.',
    })
    expect(await sandbox.run(['restore', none.id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Without a snapshot of the files: slow.'),
    })
    const elsewhere = await takeCheckpoint({
      hub: sandbox.hub,
      run: await endedRun(sandbox, 'elsewhere'),
      reason: 'demand',
    })
    expect(await sandbox.run(['restore', elsewhere.id])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('are on elsewhere'),
    })
    const kept = await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    write(sandbox.cwd, { a: '2' })
    const otherRun = await sandbox.hub.runs.start({ command: ['agent'], cwd: join(sandbox.root, 'not-there') })
    const forged = await sandbox.hub.checkpoints.save({ run: otherRun.id, reason: 'demand', snapshot: kept.snapshot })
    expect(await sandbox.run(['restore', forged.id, '--force'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('but its run was in'),
    })
    expect(read(sandbox.cwd, 'a')).toBe('2')
    rmSync(join(sandbox.cwd, '.git'), { recursive: true })
    expect(await sandbox.run(['restore', kept.id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is not a git repository'),
    })
    expect(read(sandbox.cwd, 'a')).toBe('2')
  })

  it('refuses to change the files of a running run, and restores them while it is stopped', async () => {
    const sandbox = await createRepositorySandbox()
    writeFileSync(join(sandbox.cwd, '.gitignore'), 'agent.py\nready\n')
    const script = join(sandbox.cwd, 'agent.py')
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
    const running = sandbox.start(['run', '--', 'python3', script])
    const asked = async (question: string) =>
      (await sandbox.hub.list()).requests.find(request => JSON.stringify(request).includes(question))
    // Beckon's own commands are not stopped with the run, and change no files.
    const meanwhile = await until(() => asked('Meanwhile?'), 'the first question')
    const run = await until(async () => (await sandbox.hub.runs.list())[0], 'the run')
    const { id } = await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    write(sandbox.cwd, { b: '2' })
    await takeCheckpoint({ hub: sandbox.hub, run, reason: 'demand' })
    const refused = await sandbox.run(['restore', id])
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`beckon runs pause ${run.id}`) })
    expect(read(sandbox.cwd, 'b')).toBe('2')

    await sandbox.run(['runs', 'pause', run.id])
    await until(async () => (await sandbox.run(['restore', id])).code === 0, 'the run to be stopped')
    expect(read(sandbox.cwd, 'b')).toBe('1')

    await sandbox.run(['runs', 'resume', run.id])
    write(sandbox.cwd, { a: 'go', b: '2' })
    const request = await until(() => asked('Which?'), 'the second question')
    await until(() => running.written().stderr.includes(request.id), 'the announcement')
    expect((await sandbox.run(['restore', id, '--force'])).code).toBe(0)
    expect(read(sandbox.cwd, 'b')).toBe('1')
    await sandbox.hub.cancel(meanwhile.id)
    await sandbox.hub.answer(request.id, { value: 'x' })
    expect((await running.result).stdout).toContain('went on with x')
  }, 60_000)
})

describe('beckon gc', () => {
  it('deletes the checkpoints, snapshots and logs of the runs that it deletes', async () => {
    const sandbox = await createRepositorySandbox()
    const [old, kept] = [
      await endedRun(sandbox),
      await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd }),
    ]
    await takeCheckpoint({ hub: sandbox.hub, run: old, reason: 'demand' })
    const { snapshot } = await takeCheckpoint({ hub: sandbox.hub, run: kept, reason: 'demand' })
    for (const { id } of [old, kept]) mkdirSync(join(sandbox.home, 'runs', id, 'log'), { recursive: true })
    await sleep(5)
    const { document } = await sandbox.json(['gc', '--older-than', '1ms'])
    expect(document).toMatchObject({ runs: 1, checkpoints: 1 })
    expect(git(sandbox.cwd, 'for-each-ref', '--format=%(refname)', 'refs/beckon').trim()).toBe(snapshot?.ref)
    expect(await listCheckpoints(sandbox, kept.id)).toHaveLength(1)
    expect(readdirSync(join(sandbox.home, 'runs'))).toEqual([kept.id])
  })
})
