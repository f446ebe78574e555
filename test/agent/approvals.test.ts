import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askAlways } from '../../src/agent/index.ts'
import { registerRun } from '../../src/agent/run.ts'
import { classify } from '../../src/guard/index.ts'
import { openHub } from '../../src/open-hub.ts'
import { until } from '../cli/sandbox.ts'
import { resultsIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

const minutes = (count: number) => count * 60_000
const createRemovalSandbox = () =>
  createAgentSandbox((_, count) =>
    count === 1 ? { calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] } : { text: 'ok' },
  )

describe('an approval', () => {
  it('expires: an old yes is not used, and the command is asked about again', async () => {
    const sandbox = await createRemovalSandbox()
    mkdirSync(join(sandbox.cwd, 'src'))
    let shift = 0
    const loop = await sandbox.open({ now: () => Date.now() + shift })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    await loop.answerQuestion('yes')
    shift = minutes(20)
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { kind: 'approval', status: 'pending' } })
    expect(loop.getPendingQuestion()?.id).not.toBe(first?.id)
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
    shift = 0
    await loop.answerQuestion('yes')
    await loop.runTurn()
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(false)
    expect(await sandbox.hub.get(first?.id ?? '')).toMatchObject({ status: 'answered', usedAt: null })
  })

  it('does not cover a script that changed after the yes', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'bash script.sh' } }] } : { text: 'ok' },
    )
    const script = join(sandbox.cwd, 'script.sh')
    writeFileSync(script, 'touch shown\n')
    const loop = await sandbox.open({ classify: askAlways })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    expect(first).toMatchObject({ kind: 'approval', action: { files: [script] } })
    await loop.answerQuestion('yes')
    writeFileSync(script, 'touch changed\n')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { kind: 'approval', status: 'pending' } })
    expect(['shown', 'changed'].filter(name => existsSync(join(sandbox.cwd, name)))).toEqual([])
    expect(await sandbox.hub.get(first?.id ?? '')).toMatchObject({ status: 'answered', usedAt: null })
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(['shown', 'changed'].filter(name => existsSync(join(sandbox.cwd, name)))).toEqual(['changed'])
  })

  it('is asked for because of what a script does, and does not cover the script after a change', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'bash a.sh' } }] } : { text: 'ok' },
    )
    writeFileSync(join(sandbox.cwd, 'a.sh'), 'bash b.sh\n')
    writeFileSync(join(sandbox.cwd, 'b.sh'), 'touch shown\nrm -rf src\n')
    const loop = await sandbox.open({ classify })
    await loop.runTurn('go')
    expect(loop.getPendingQuestion()).toMatchObject({
      kind: 'approval',
      action: {
        reasons: expect.arrayContaining([
          expect.objectContaining({ rule: 'fs/delete-sources', file: 'b.sh', line: 2 }),
        ]),
        files: [join(sandbox.cwd, 'a.sh'), join(sandbox.cwd, 'b.sh')],
      },
    })
    await loop.answerQuestion('yes')
    writeFileSync(join(sandbox.cwd, 'b.sh'), 'touch changed\nrm -rf src\n')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { kind: 'approval', status: 'pending' } })
    expect(['shown', 'changed'].filter(name => existsSync(join(sandbox.cwd, name)))).toEqual([])
  })

  it("runs a person's own version instead of the proposed one, and tells the model", async () => {
    const sandbox = await createRemovalSandbox()
    for (const folder of ['src', 'build']) mkdirSync(join(sandbox.cwd, folder))
    const loop = await sandbox.open()
    await loop.runTurn('go')
    const { id } = loop.getPendingQuestion() ?? { id: '' }
    await sandbox.hub.answer(id, { value: 'yes', edited: { command: 'rm -rf build' } })
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(['src', 'build'].filter(name => existsSync(join(sandbox.cwd, name)))).toEqual(['src'])
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('The user changed it to: rm -rf build')
  })

  it('does not cover the same command with a PATH that leads to another program', async () => {
    const sandbox = await createRemovalSandbox()
    mkdirSync(join(sandbox.cwd, 'src'))
    const loop = await sandbox.open({ env: { PATH: process.env.PATH } })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    await loop.answerQuestion('yes')
    loop.close()
    mkdirSync(join(sandbox.cwd, 'bin'))
    writeFileSync(join(sandbox.cwd, 'bin', 'rm'), '#!/bin/sh\n', { mode: 0o755 })
    const other = await sandbox.open({ folder: loop.folder, env: { PATH: `${sandbox.cwd}/bin:${process.env.PATH}` } })
    expect(await other.runTurn()).toMatchObject({ status: 'waiting' })
    expect(other.getPendingQuestion()?.id).not.toBe(first?.id)
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
  })

  it('runs nothing if the hub rejects it as too old', async () => {
    const sandbox = await createRemovalSandbox()
    mkdirSync(join(sandbox.cwd, 'src'))
    let shift = 0
    const hub = await openHub({
      env: { BECKON_HOME: sandbox.home },
      caller: { directory: sandbox.cwd },
      shift: () => shift,
    })
    const loop = await sandbox.open({ hub })
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    shift = minutes(20)
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('It was not run')
    await hub.close()
  })

  it('is valid once: the same command is asked about again', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count <= 2 ? { calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting' })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(2)
  })

  it('ends with "always": a strict guard does not ask about the same command in the same directory again', async () => {
    const command = 'rm -rf node_modules'
    const sandbox = await createAgentSandbox((_, count) =>
      count % 2 === 1 ? { calls: [{ name: 'Bash', input: { command } }] } : { text: 'ok' },
    )
    const install = () => {
      mkdirSync(join(sandbox.cwd, 'node_modules', `${Math.random()}`), { recursive: true })
    }
    const isInstalled = () => existsSync(join(sandbox.cwd, 'node_modules'))
    const env = { PATH: process.env.PATH, HOME: sandbox.root, BECKON_GUARD: 'strict' }
    const loop = await sandbox.open({ classify, env })
    install()
    expect(await loop.runTurn('go')).toMatchObject({
      status: 'waiting',
      // The hub has judged it as strictly: it is not only what the agent says.
      question: { action: { command, severity: 'low', reasons: [{ rule: 'fs/delete-strict' }] } },
    })
    expect(isInstalled()).toBe(true)
    await loop.answerQuestion('always exact')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(isInstalled()).toBe(false)
    install()
    expect(await loop.runTurn('again')).toMatchObject({ status: 'done' })
    expect(isInstalled()).toBe(false)
    const later = await sandbox.open({ classify, env })
    install()
    expect(await later.runTurn('and once more')).toMatchObject({ status: 'done' })
    expect(isInstalled()).toBe(false)
    const { requests } = await sandbox.hub.list({ status: 'all' })
    expect(requests.map(({ outcome }) => outcome?.channel === 'rule')).toEqual([false, true, true])
    expect(requests.every(({ usedAt }) => usedAt !== null)).toBe(true)
  })

  it('is asked for every command if there is no guard', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'ls' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open({ classify: askAlways })
    expect(await loop.runTurn('go')).toMatchObject({ question: { action: { command: 'ls' } } })
  })

  it('is never asked for a command that the guard denies', async () => {
    const sandbox = await createRemovalSandbox()
    mkdirSync(join(sandbox.cwd, 'src'))
    const reasons = [{ rule: 'x', message: 'it is the end of the world', span: [0, 1] as [number, number] }]
    const loop = await sandbox.open({
      classify: () => ({ verdict: 'deny', severity: 'critical', reasons, safer: 'stay home' }),
    })
    expect(await loop.runTurn('go')).toMatchObject({ status: 'done' })
    expect(resultsIn(sandbox.server.log[1] as never)).toEqual([
      'Error: This is never run: it is the end of the world.\nHint: Safer: stay home',
    ])
    expect(existsSync(join(sandbox.cwd, 'src'))).toBe(true)
  })

  it('is not asked for a call that cannot be shown; the model gets an error', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Write', input: { path: '../x', content: 'a\0b' } }] } : { text: 'ok' },
    )
    expect(await (await sandbox.open()).runTurn('go')).toMatchObject({ status: 'done' })
    expect(resultsIn(sandbox.server.log[1] as never)[0]).toContain('NUL')
  })
})

describe('a run of the agent', () => {
  it('does not call the model while it is paused, and continues when it is resumed', async () => {
    const order: string[] = []
    const sandbox = await createAgentSandbox(() => {
      order.push('the model is asked')
      return { text: 'ok' }
    })
    const run = await registerRun(sandbox.hub, { name: 'agent', command: ['beckon', 'agent'], cwd: sandbox.cwd })
    const atTheGate = Promise.withResolvers<void>()
    const gate = (signal: AbortSignal) => {
      atTheGate.resolve()
      return run.waitWhilePaused(signal)
    }
    const loop = await sandbox.open({ run: { ...run, waitWhilePaused: gate } })
    await sandbox.hub.runs.change(run.id, { status: 'paused' })
    await until(async () => !(await isOpen(run.waitWhilePaused)), 'the pause')
    const turn = loop.runTurn('hello')
    await atTheGate.promise
    // Enough time for a request that must not be made.
    await Promise.race([turn, fetch(sandbox.server.url).then(() => fetch(sandbox.server.url))])
    order.push('resumed')
    await sandbox.hub.runs.change(run.id, { status: 'running' })
    expect(await turn).toMatchObject({ status: 'done' })
    expect(order).toEqual(['resumed', 'the model is asked'])
    await run.end('completed')
    expect(await sandbox.hub.runs.get(run.id)).toMatchObject({ status: 'completed' })
  })

  it('ends its turn when it is stopped', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'touch up; sleep 60' } }] } : { text: 'ok' },
    )
    const run = await registerRun(sandbox.hub, { name: 'agent', command: ['beckon', 'agent'], cwd: sandbox.cwd })
    const loop = await sandbox.open({ run })
    const turn = loop.runTurn('hello')
    await until(() => existsSync(join(sandbox.cwd, 'up')), 'the command')
    await sandbox.hub.runs.change(run.id, { status: 'stopped' })
    expect(await turn).toMatchObject({ status: 'interrupted' })
    expect(sandbox.server.log).toHaveLength(1)
    await run.end('completed')
    expect(await sandbox.hub.runs.get(run.id)).toMatchObject({ status: 'stopped' })
  })
})

describe('a context that is too long for the model', () => {
  it('is summarised and sent again', async () => {
    const sandbox = await createAgentSandbox(seen => {
      if (seen.system.includes('You are summarising')) return { text: 'a summary' }
      if (seen.items.length > 6) return { status: 400, text: 'prompt is too long: 210000 tokens > 200000 maximum' }
      return { text: `reply to ${seen.items.length}` }
    })
    writeFileSync(join(sandbox.cwd, 'x'), '')
    const loop = await sandbox.open()
    for (const text of ['one', 'two', 'three', 'four'])
      expect(await loop.runTurn(text)).toMatchObject({ status: 'done' })
    expect(sandbox.events.some(({ type }) => type === 'compacted')).toBe(true)
  })
})

/** Whether the gate resolves at once. */
async function isOpen(gate: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  return Promise.race([
    gate(new AbortController().signal).then(() => true),
    new Promise<false>(resolve => setImmediate(() => resolve(false))),
  ])
}
