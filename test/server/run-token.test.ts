import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/protocol/index.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { call, startServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const apiKey = { kind: 'dependency', type: 'api_key', name: 'KEY', description: 'd' } as const

function start() {
  return startServer(join(temporaryFolder(), 'beckon.db'))
}

describe('a run token', () => {
  it('can start and supervise runs, and create ask tokens for their agents', async () => {
    const server = await start()
    const runner = await server.client('run', { host: 'far-away' })
    const { id, host } = await runner.runs.start({ command: ['agent'], cwd: '/work' })
    expect(host).toBe('far-away')
    const asked = await runner.raise({ ...shipIt, run: id })
    await server.hub.answer(asked.id, { value: 'yes' })
    expect(await runner.wait(asked.id)).toMatchObject({ status: 'answered' })
    await runner.confirmDelivery(asked.id)
    const { secret } = await runner.tokens.create({ scope: 'ask', run: id })
    expect(secret).toMatch(/^beckon_ask_/)
    const needed = await runner.raise({ ...apiKey, run: id })
    await server.hub.answer(needed.id, { value: 'canary-0123456789' })
    expect((await runner.use(needed.id)).value).toBe('canary-0123456789')
    await runner.logs.append(id, { after: '0.0', records: [{ stream: 'out', text: 'hello\n' }] })
    expect((await server.hub.logs.read(id)).pieces).toMatchObject([{ text: 'hello\n' }])
    const checkpoint = await runner.checkpoints.save({ run: id, reason: 'demand' })
    expect(await runner.checkpoints.get(checkpoint.id)).toEqual(checkpoint)
    expect(await runner.runs.change(id, { status: 'asleep' })).toMatchObject({ status: 'asleep' })
    expect((await runner.runs.list({ ready: true })).map(run => run.id)).toEqual([id])
    expect(await runner.runs.start({ again: id, onlyFrom: 'asleep', command: ['agent'], cwd: '/work' })).toMatchObject({
      id,
    })
    const again = runner.runs.start({ again: id, onlyFrom: 'asleep', command: ['agent'], cwd: '/work' })
    await expect(again).rejects.toMatchObject({ code: 'changed', message: expect.stringContaining('Somebody else') })
    expect(await runner.runs.change(id, { status: 'completed', exitCode: 0 })).toMatchObject({ status: 'completed' })
  })

  it('cannot answer, not even its own requests', async () => {
    const server = await start()
    const runner = await server.client('run')
    const { id: run } = await runner.runs.start({ command: ['agent'], cwd: '/' })
    const { id } = await runner.raise({ ...shipIt, run })
    const refused = { code: 'not_allowed' }
    await expect(runner.answer(id, { value: 'yes' })).rejects.toMatchObject(refused)
    await expect(runner.skip(id)).rejects.toMatchObject(refused)
    await expect(runner.decline(id)).rejects.toMatchObject(refused)
    await expect(runner.reschedule(id, null)).rejects.toMatchObject(refused)
    for (const scope of ['run', 'answer', 'admin'] as const) {
      await expect(runner.tokens.create({ scope })).rejects.toMatchObject(refused)
    }
    await expect(runner.tokens.create({ scope: 'ask' })).rejects.toMatchObject(refused)
    const token = await server.token('run')
    expect((await call(server, 'POST', '/api/session', { body: { secret: token } })).status).toBe(401)
    expect((await call(server, 'GET', '/metrics', { token })).status).toBe(403)
    expect((await server.hub.get(id)).status).toBe('pending')
  })

  it('cannot see runs, requests and events of others', async () => {
    const server = await start()
    const [runner, other] = [await server.client('run'), await server.client('run', { name: 'other' })]
    const foreign = await other.runs.start({ command: ['agent'], cwd: '/' })
    const request = await other.raise({ ...shipIt, run: foreign.id })
    const local = await server.hub.raise(shipIt)
    const checkpoint = await other.checkpoints.save({ run: foreign.id, reason: 'demand' })
    const missing = { code: 'not_found' }
    const over = new AbortController()
    const ready = Promise.withResolvers<void>()
    const events: Event[] = []
    const following = (async () => {
      for await (const event of runner.follow({ since: 0, signal: over.signal, onReady: () => ready.resolve() })) {
        events.push(event)
        if (event.type === 'run.completed') over.abort()
      }
    })()
    await ready.promise
    for (const attempt of [
      () => runner.runs.get(foreign.id),
      () => runner.runs.change(foreign.id, { status: 'stopped' }),
      () => runner.runs.start({ again: foreign.id, command: ['x'], cwd: '/' }),
      () => runner.logs.append(foreign.id, { after: '0.0' }),
      () => runner.logs.read(foreign.id),
      () => runner.checkpoints.save({ run: foreign.id, reason: 'demand' }),
      () => runner.checkpoints.list(foreign.id),
      () => runner.checkpoints.get(checkpoint.id),
      () => runner.list({ run: foreign.id }),
      () => runner.tokens.create({ scope: 'ask', run: foreign.id }),
      () => runner.get(request.id),
      () => runner.get(local.id),
      () => runner.use(request.id),
      () => runner.cancel(request.id),
    ]) {
      await expect(attempt()).rejects.toMatchObject(missing)
    }
    await expect(runner.raise({ ...shipIt, run: foreign.id })).rejects.toMatchObject({ code: 'not_allowed' })
    expect(await runner.runs.list()).toEqual([])
    expect((await runner.list({ status: 'all' })).requests).toEqual([])
    const own = await runner.runs.start({ command: ['agent'], cwd: '/' })
    await other.runs.change(foreign.id, { status: 'completed' })
    await runner.runs.change(own.id, { status: 'completed' })
    await following
    expect(events.map(({ type, run }) => [type, run])).toEqual([
      ['run.started', own.id],
      ['run.completed', own.id],
    ])
    expect((await runner.events()).every(({ run }) => run === own.id)).toBe(true)
  })

  it('is needed to append to a log; a browser cannot', async () => {
    const server = await start()
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/' })
    const link = await server.signInLink({ name: 'person', scope: 'admin' })
    const { headers } = await call(server, 'POST', '/api/session', { body: { secret: link.split('#signin=')[1] } })
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const sent = await call(server, 'POST', `/api/runs/${run.id}/log`, {
      headers: { cookie, origin: server.url },
      body: { after: '0.0', records: [{ stream: 'out', text: 'forged' }] },
    })
    expect([sent.status, sent.json.error.code]).toEqual([403, 'not_allowed'])
  })
})
