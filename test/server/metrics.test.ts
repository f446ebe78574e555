import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HubApi } from '../../src/protocol/index.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { databases } from '../setup/databases.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const hour = 3_600_000
const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const forcePush = { kind: 'approval', action: { command: 'git push --force origin main', cwd: '/work' } } as const

async function scrape(server: TestServer): Promise<Scrape> {
  const { status, text, headers } = await call(server, 'GET', '/metrics', { token: await server.token('answer') })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const samples = new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
  return { text, samples, value: name => samples.get(name) }
}

interface Scrape {
  text: string
  samples: Map<string, number>
  value(name: string): number | undefined
}

async function askAndAnswer(agent: HubApi, person: HubApi, value: string) {
  const { id } = await agent.raise({ ...shipIt, context: value })
  await person.answer(id, { value })
  return id
}

describe.each(databases)('metrics on $name', ({ prepared: fresh }) => {
  it('say what waits and for how long, what was settled and what nobody took, wherever that happened', async () => {
    let shift = 0
    const server = await startServer(await fresh(), { hub: { shift: () => shift } })
    await scrape(server)
    const [agent, person] = [await server.client('ask'), await server.client('answer')]
    await agent.raise(shipIt)
    shift += 5 * hour
    const { id: push } = await agent.raise(forcePush)
    const taken = await askAndAnswer(agent, person, 'yes')
    await agent.confirmDelivery(taken)
    // By a command on this machine, through a channel of its own name.
    const { id: local } = await server.hub.raise({ ...shipIt, context: 'here' })
    shift += 3 * hour
    await server.hub.answer(local, { value: 'no', channel: 'my "own" program' })
    const { value, text } = await scrape(server)
    expect(value('beckon_store_up')).toBe(1)
    expect(value('beckon_requests_waiting{kind="question",severity=""}')).toBe(1)
    expect(value('beckon_requests_waiting{kind="approval",severity="high"}')).toBe(1)
    expect(value('beckon_requests_waiting{kind="review",severity=""}')).toBe(0)
    expect(value('beckon_requests_oldest_waiting_seconds{kind="question",severity=""}')).toBeGreaterThan(8 * 3_600)
    expect(value('beckon_requests_undelivered{kind="question"}')).toBe(1)
    expect(value('beckon_requests_created_total{kind="question",severity=""}')).toBe(3)
    expect(value('beckon_requests_created_total{kind="approval",severity="high"}')).toBe(1)
    const answered = 'kind="question",status="answered"'
    expect(value(`beckon_requests_settled_total{${answered},channel="http",severity=""}`)).toBe(1)
    expect(value(`beckon_requests_settled_total{${answered},channel="other",severity=""}`)).toBe(1)
    expect(value('beckon_requests_delivered_total{kind="question"}')).toBe(1)
    const times = 'beckon_requests_time_to_answer_seconds'
    expect(value(`${times}_bucket{kind="question",severity="",le="3600"}`)).toBe(1)
    expect(value(`${times}_bucket{kind="question",severity="",le="14400"}`)).toBe(2)
    expect(value(`${times}_bucket{kind="question",severity="",le="+Inf"}`)).toBe(2)
    expect(value(`${times}_count{kind="question",severity=""}`)).toBe(2)
    expect(value(`${times}_sum{kind="question",severity=""}`)).toBeGreaterThan(3 * 3_600)
    expect(text).not.toMatch(/my \\?"own|Ship it|force/)

    await person.decline(push, { reason: 'no' })
    const later = await scrape(server)
    expect(later.value('beckon_requests_waiting{kind="approval",severity="high"}')).toBe(0)
    expect(later.value(`${times}_count{kind="approval",severity="high"}`)).toBe(1)
    expect(later.value('beckon_requests_time_to_deliver_seconds_count{kind="question"}')).toBe(1)
  })
})

describe('metrics of several servers on one PostgreSQL', () => {
  it('are the same for the store, once per event, and of each server for its own work', async () => {
    const database = await (databases[1] as (typeof databases)[number]).prepared()
    const [a, b] = [await startServer(database), await startServer(database)]
    await scrape(a)
    const [agent, person] = [await a.client('ask'), await b.client('answer')]
    for (const value of ['yes', 'no']) await askAndAnswer(agent, person, value)
    const scrapes = await Promise.all([a, b, a, b].map(scrape))
    for (const { value } of scrapes) {
      expect(value('beckon_requests_created_total{kind="question",severity=""}')).toBe(2)
      expect(value('beckon_requests_undelivered{kind="question"}')).toBe(2)
      expect(value('beckon_requests_time_to_answer_seconds_count{kind="question",severity=""}')).toBe(2)
    }
    const [ofA, ofB] = scrapes as [Scrape, Scrape]
    expect(ofA.value('beckon_http_call_seconds_count{operation="raise"}')).toBe(2)
    expect(ofB.value('beckon_http_call_seconds_count{operation="raise"}')).toBeUndefined()
    expect(ofB.value('beckon_http_calls_total{method="PUT",status="200"}')).toBe(2)
  })
})

describe('metrics of a server', () => {
  it('come also while the store cannot be read, without what only the store knows', async () => {
    const away = { statistics: () => Promise.reject(new Error('away')), observeStore: () => {} }
    const text = await createMetrics({ hub: away, version: '0' }).print()
    expect(text).toContain('\nbeckon_store_up 0\n')
    expect(text).toContain('\nprocess_resident_memory_bytes ')
    expect(text).not.toMatch(/^beckon_requests_waiting\{/m)
  })

  it('are those that the dashboard, the alerts and the docs name', async () => {
    const server = await startServer(await (databases[0] as (typeof databases)[number]).fresh())
    const { text } = await scrape(server)
    const names = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) => namesOf(name, type)))
    for (const file of ['deploy/grafana/beckon.json', 'deploy/prometheus/beckon.rules.yml', 'docs/metrics.md']) {
      const named = readFileSync(file, 'utf8').match(/\b(beckon|process|nodejs)_[a-z0-9_]*[a-z0-9]\b/g) ?? []
      expect([file, [...new Set(named)].filter(name => !names.has(name))]).toEqual([file, []])
      expect(named.length).toBeGreaterThan(5)
    }
    // Of what can be counted one by one: an alert on its increase hears of the first, too.
    for (const counter of ['given_up_total{target="callback"}', 'failed_total{target="slack"}'])
      expect(text).toContain(`\nbeckon_notifications_${counter} 0\n`)
    expect(text).toContain('\nbeckon_store_errors_total{call="change",code="disk_full"} 0\n')
    const documented = readFileSync('docs/metrics.md', 'utf8')
    const ours = [...names].filter(name => name.startsWith('beckon_') && !/_(bucket|sum|count)$/.test(name))
    expect(ours.filter(name => !documented.includes(`\`${name}\``))).toEqual([])
  })
})

function namesOf(name = '', type = ''): string[] {
  return type === 'histogram' ? [name, ...['_bucket', '_sum', '_count'].map(end => name + end)] : [name]
}
