import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSending } from '../../src/cli/serve/notify.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openHub, openHubAndStore } from '../../src/open-hub.ts'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { startReceiver } from '../notify/receiver.ts'
import { call } from '../server/test-server.ts'
import { databases, testKey } from '../setup/databases.ts'
import { type Collector, type ReceivedSpan, startCollector } from './collector.ts'

const shipIt = { questions: [{ question: 'Ship it, dear reader?', options: ['yes', 'no'] }] }
const cleanups: (() => unknown)[] = []
let collector: Collector

beforeEach(async () => {
  collector = await startCollector()
  cleanups.push(() => collector.close())
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function parentOf(span: ReceivedSpan | undefined): ReceivedSpan | undefined {
  return collector.spans.find(({ spanId }) => spanId === span?.parentSpanId)
}

function find(name: string, service?: string): ReceivedSpan | undefined {
  return collector.spans.find(span => span.name === name && (service === undefined || span.service === service))
}

async function startTracedServer(database: string, webhook?: string) {
  const env = { BECKON_KEY: testKey, ...collector.env, OTEL_SERVICE_NAME: 'hub' }
  const { hub, tracer } = await openHubAndStore({ database, env })
  if (webhook) await hub.targets.add({ kind: 'webhook', url: webhook, name: 'hook' })
  const log = createLog('silent')
  const served = await serve({ hub, log, version: '0', port: 0, tracer })
  const sender = await startSending({
    hub,
    served,
    log,
    env,
    tracer,
    prepareChat: async ({ target }) => ({ target, answering: null }),
  })
  const stop = async () => {
    await served.close()
    await sender.close()
    await hub.close()
  }
  return { hub, served, stop }
}

describe.each(databases)('traces on $name', ({ prepared: fresh }) => {
  it('lead from the asker over the server, the database and a notification to the decision of a person', async () => {
    const receiver = await startReceiver()
    const { hub, served, stop } = await startTracedServer(await fresh(), receiver.url)
    const [ask, answer] = await Promise.all([
      hub.tokens.create({ scope: 'ask' }),
      hub.tokens.create({ scope: 'answer' }),
    ])
    const traceId = 'a'.repeat(32)
    const env = { ...collector.env, OTEL_SERVICE_NAME: 'agent', TRACEPARENT: `00-${traceId}-${'b'.repeat(16)}-01` }
    const agent = await openHub({ database: served.url, token: ask.secret, env })
    const raised = await agent.raise(shipIt)
    await receiver.came(1)
    const waiting = agent.wait(raised.id)
    const answered = await call(served, 'PUT', `/api/requests/${raised.id}/answer`, {
      token: answer.secret,
      body: { value: 'yes' },
    })
    expect(answered.status).toBe(200)
    expect((await waiting).status).toBe('answered')
    await agent.close()
    await stop()
    expect(collector.faults).toEqual([])
    expect(new Set(collector.calls.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))

    const asked = find('beckon.ask', 'agent')
    expect(asked).toMatchObject({ traceId, parentSpanId: 'b'.repeat(16), kind: 1 })
    const server = find('POST /api/requests')
    expect([server?.kind, parentOf(server)?.kind, parentOf(parentOf(server))?.spanId]).toEqual([2, 3, asked?.spanId])
    const inHub = find('beckon.ask', 'hub')
    expect(parentOf(inHub)?.spanId).toBe(server?.spanId)
    expect(inHub?.attributes).toMatchObject({ 'beckon.request.id': raised.id, 'beckon.request.kind': 'question' })
    expect(raised.traceparent).toBe(`00-${traceId}-${inHub?.spanId}-01`)
    const stored = collector.spans.filter(({ parentSpanId }) => parentSpanId === inHub?.spanId)
    expect(stored.map(({ name }) => name)).toContain('beckon.store.change')
    // What happened later is in the trace of the asker.
    expect(find('beckon.notify')).toMatchObject({ traceId, attributes: { 'beckon.target.kind': 'webhook' } })
    const life = find('beckon.request')
    expect(life).toMatchObject({
      traceId,
      attributes: { 'beckon.request.status': 'answered', 'beckon.channel': 'http' },
    })
    expect(find('beckon.wait', 'agent')).toMatchObject({ traceId })
    expect(find('GET /api/requests/:id', 'hub')).toMatchObject({ traceId, attributes: { 'beckon.held': true } })
    // The person's own call is a trace of its own, which that of the asker links to.
    const decided = find('beckon.answer')
    expect(decided?.traceId).not.toBe(traceId)
    expect(life?.links).toEqual([{ traceId: decided?.traceId, spanId: decided?.spanId }])
    expect(JSON.stringify(collector.spans)).not.toMatch(/dear reader|beckon_ask_|beckon_answer_/)
  })
})

describe('a deadline', () => {
  it.each([
    ['before anybody answers', async (hub: Hub) => expect(await hub.sweep()).toBe(1)],
    [
      'and an answer that comes later finds it',
      async (hub: Hub, id: string) => expect((await hub.answer(id, { value: 'yes' })).won).toBe(false),
    ],
    [
      'and somebody who moves it later finds it',
      async (hub: Hub, id: string) => expect((await hub.reschedule(id, 60_000)).status).toBe('expired'),
    ],
  ])('ends the trace of the request that it settled, %s', async (_, settle) => {
    const [{ fresh }] = databases as [(typeof databases)[number]]
    let shift = 0
    const { hub } = await openHubAndStore({ database: await fresh(), env: collector.env, shift: () => shift })
    const { id } = await hub.raise({ ...shipIt, timeout: 3_600_000, onTimeout: 'fail' })
    shift = 3_600_001
    await settle(hub, id)
    await hub.close()
    const attributes = { 'beckon.request.id': id, 'beckon.request.status': 'expired', 'beckon.channel': 'policy' }
    const lives = collector.spans.filter(({ name }) => name === 'beckon.request')
    expect(lives).toMatchObject([{ traceId: find('beckon.ask')?.traceId, attributes }])
    expect(collector.faults).toEqual([])
  })
})

describe('what a request keeps of a trace', () => {
  it('is nothing where the hub does not trace, or where the header is not one', async () => {
    const [{ fresh }] = databases as [(typeof databases)[number]]
    const { hub, served, stop } = await startTracedServer(await fresh())
    const { secret: token } = await hub.tokens.create({ scope: 'ask' })
    const traceparent = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`
    const ask = (header: string, n: number) =>
      call(served, 'POST', '/api/requests', {
        token,
        body: { ...shipIt, context: `${n}` },
        headers: { traceparent: header },
      })
    const bad = ['', 'nonsense', traceparent.toUpperCase(), `${traceparent}-x`, `ff${traceparent.slice(2)}`]
    for (const [n, header] of bad.entries()) {
      expect((await ask(header, n)).json.traceparent).not.toContain('cccc')
    }
    expect((await ask(traceparent, 9)).json.traceparent).toMatch(/^00-c{32}-(?!d{16})[0-9a-f]{16}-01$/)
    // A caller that does not want its trace recorded.
    const unwanted = `00-${'e'.repeat(32)}-${'d'.repeat(16)}-00`
    expect((await ask(unwanted, 10)).json.traceparent).toMatch(/^00-e{32}-[0-9a-f]{16}-00$/)
    await stop()
    const traces = new Set(collector.spans.map(({ traceId }) => traceId))
    expect([traces.has('c'.repeat(32)), traces.has('e'.repeat(32))]).toEqual([true, false])

    const plain = await openHub({ database: await fresh(), env: { TRACEPARENT: traceparent } })
    cleanups.push(() => plain.close())
    expect(await plain.raise(shipIt)).not.toHaveProperty('traceparent')
  })
})
