import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askAlways } from '../../src/agent/index.ts'
import { registerRun } from '../../src/agent/run.ts'
import { openHub } from '../../src/index.ts'
import { until } from '../cli/sandbox.ts'
import { resultsIn } from './model-server.ts'
import { agentPlace } from './place.ts'

const minutes = (count: number) => count * 60_000
const remove = () =>
  agentPlace((_, count) =>
    count === 1 ? { calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] } : { text: 'ok' },
  )

describe('a yes', () => {
  it('that came too long ago is asked for again', async () => {
    const place = await remove()
    mkdirSync(join(place.cwd, 'src'))
    let shift = 0
    const loop = await place.open({ now: () => Date.now() + shift })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    await loop.answerQuestion('yes')
    shift = minutes(20)
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { kind: 'approval', status: 'pending' } })
    expect(loop.getPendingQuestion()?.id).not.toBe(first?.id)
    expect(existsSync(join(place.cwd, 'src'))).toBe(true)
    shift = 0
    await loop.answerQuestion('yes')
    await loop.runTurn()
    expect(existsSync(join(place.cwd, 'src'))).toBe(false)
    expect(await place.hub.get(first?.id ?? '')).toMatchObject({ status: 'answered', usedAt: null })
  })

  it('does not run a script that changed after it was approved', async () => {
    const place = await agentPlace((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'bash script.sh' } }] } : { text: 'ok' },
    )
    const script = join(place.cwd, 'script.sh')
    writeFileSync(script, 'touch shown\n')
    const loop = await place.open({ classify: askAlways })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    expect(first).toMatchObject({ kind: 'approval', action: { files: [script] } })
    await loop.answerQuestion('yes')
    writeFileSync(script, 'touch changed\n')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting', question: { kind: 'approval', status: 'pending' } })
    expect(['shown', 'changed'].filter(name => existsSync(join(place.cwd, name)))).toEqual([])
    expect(await place.hub.get(first?.id ?? '')).toMatchObject({ status: 'answered', usedAt: null })
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(['shown', 'changed'].filter(name => existsSync(join(place.cwd, name)))).toEqual(['changed'])
  })

  it('does not run a command on a yes that was given for another PATH', async () => {
    const place = await remove()
    mkdirSync(join(place.cwd, 'src'))
    const loop = await place.open({ env: { PATH: process.env.PATH } })
    await loop.runTurn('go')
    const first = loop.getPendingQuestion()
    await loop.answerQuestion('yes')
    loop.close()
    const other = await place.open({ folder: loop.folder, env: { PATH: `${place.cwd}/bin:${process.env.PATH}` } })
    expect(await other.runTurn()).toMatchObject({ status: 'waiting' })
    expect(other.getPendingQuestion()?.id).not.toBe(first?.id)
    expect(existsSync(join(place.cwd, 'src'))).toBe(true)
  })

  it('that the hub does not take any more runs nothing', async () => {
    const place = await remove()
    mkdirSync(join(place.cwd, 'src'))
    let shift = 0
    const hub = await openHub({
      env: { BECKON_HOME: place.home },
      caller: { directory: place.cwd },
      shift: () => shift,
    })
    const loop = await place.open({ hub })
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    shift = minutes(20)
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
    expect(existsSync(join(place.cwd, 'src'))).toBe(true)
    expect(resultsIn(place.server.log[1] as never)[0]).toContain('It was not run')
    await hub.close()
  })

  it('is for one time: the same command is asked about anew', async () => {
    const place = await agentPlace((_, count) =>
      count <= 2 ? { calls: [{ name: 'Bash', input: { command: 'rm -rf src' } }] } : { text: 'ok' },
    )
    const loop = await place.open()
    await loop.runTurn('go')
    await loop.answerQuestion('yes')
    expect(await loop.runTurn()).toMatchObject({ status: 'waiting' })
    expect((await place.hub.list({ status: 'all' })).requests).toHaveLength(2)
  })

  it('is not asked for where there is no guard without seeing every command', async () => {
    const place = await agentPlace((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'ls' } }] } : { text: 'ok' },
    )
    const loop = await place.open({ classify: askAlways })
    expect(await loop.runTurn('go')).toMatchObject({ question: { action: { command: 'ls' } } })
  })

  it('never comes for what the guard denies', async () => {
    const place = await remove()
    mkdirSync(join(place.cwd, 'src'))
    const reasons = [{ rule: 'x', message: 'it is the end of the world', span: [0, 1] as [number, number] }]
    const loop = await place.open({
      classify: () => ({ verdict: 'deny', severity: 'critical', reasons, safer: 'stay home' }),
    })
    expect(await loop.runTurn('go')).toMatchObject({ status: 'done' })
    expect(resultsIn(place.server.log[1] as never)).toEqual([
      'Error: This is never run: it is the end of the world.\nHint: Safer: stay home',
    ])
    expect(existsSync(join(place.cwd, 'src'))).toBe(true)
  })

  it('is not asked for what cannot be shown: the model is told', async () => {
    const place = await agentPlace((_, count) =>
      count === 1 ? { calls: [{ name: 'Write', input: { path: '../x', content: 'a\0b' } }] } : { text: 'ok' },
    )
    expect(await (await place.open()).runTurn('go')).toMatchObject({ status: 'done' })
    expect(resultsIn(place.server.log[1] as never)[0]).toContain('NUL')
  })
})

describe('a run of the agent', () => {
  it('begins nothing while it is paused, and goes on when it is resumed', async () => {
    const order: string[] = []
    const place = await agentPlace(() => {
      order.push('the model is asked')
      return { text: 'ok' }
    })
    const run = await registerRun(place.hub, { name: 'agent', command: ['beckon', 'agent'], cwd: place.cwd })
    const atTheGate = Promise.withResolvers<void>()
    const gate = (signal: AbortSignal) => {
      atTheGate.resolve()
      return run.waitWhilePaused(signal)
    }
    const loop = await place.open({ run: { ...run, waitWhilePaused: gate } })
    await place.hub.runs.change(run.id, { status: 'paused' })
    await until(async () => !(await isOpen(run.waitWhilePaused)), 'the pause')
    const turn = loop.runTurn('hello')
    await atTheGate.promise
    // Time enough for a request that should not be made.
    await Promise.race([turn, fetch(place.server.url).then(() => fetch(place.server.url))])
    order.push('resumed')
    await place.hub.runs.change(run.id, { status: 'running' })
    expect(await turn).toMatchObject({ status: 'done' })
    expect(order).toEqual(['resumed', 'the model is asked'])
    await run.end('completed')
    expect(await place.hub.runs.get(run.id)).toMatchObject({ status: 'completed' })
  })

  it('ends its turn when it is stopped', async () => {
    const place = await agentPlace((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'touch up; sleep 60' } }] } : { text: 'ok' },
    )
    const run = await registerRun(place.hub, { name: 'agent', command: ['beckon', 'agent'], cwd: place.cwd })
    const loop = await place.open({ run })
    const turn = loop.runTurn('hello')
    await until(() => existsSync(join(place.cwd, 'up')), 'the command')
    await place.hub.runs.change(run.id, { status: 'stopped' })
    expect(await turn).toMatchObject({ status: 'interrupted' })
    expect(place.server.log).toHaveLength(1)
    await run.end('completed')
    expect(await place.hub.runs.get(run.id)).toMatchObject({ status: 'stopped' })
  })
})

describe('a context that the model refuses', () => {
  it('is summarised, and asked again', async () => {
    const place = await agentPlace(seen => {
      if (seen.system.includes('You are summarising')) return { text: 'a summary' }
      if (seen.items.length > 6) return { status: 400, text: 'prompt is too long: 210000 tokens > 200000 maximum' }
      return { text: `reply to ${seen.items.length}` }
    })
    writeFileSync(join(place.cwd, 'x'), '')
    const loop = await place.open()
    for (const text of ['one', 'two', 'three', 'four'])
      expect(await loop.runTurn(text)).toMatchObject({ status: 'done' })
    expect(place.events.some(({ type }) => type === 'compacted')).toBe(true)
  })
})

/** Whether the gate lets through right now. */
async function isOpen(gate: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  return Promise.race([
    gate(new AbortController().signal).then(() => true),
    new Promise<false>(resolve => setImmediate(() => resolve(false))),
  ])
}
