import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTracer } from '../../src/tracing/open-tracer.ts'
import { readTracingSettings } from '../../src/tracing/settings.ts'
import type { Tracer } from '../../src/tracing/tracer.ts'
import { type Collector, startCollector } from './collector.ts'

let collector: Collector
let problems: string[]

beforeEach(async () => {
  collector = await startCollector()
  problems = []
})
afterEach(() => collector.close())

async function open(env: Record<string, string> = {}): Promise<Tracer> {
  const onProblem = (problem: string) => problems.push(problem)
  const tracer = await openTracer({ env: { ...collector.env, ...env }, version: '1.2.3', onProblem })
  if (!tracer) throw new Error('nothing is traced')
  return tracer
}

it('sends spans with the headers, the resource and the compression that the variables say', async () => {
  const tracer = await open({
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = a=b',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=desk,deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  })
  await tracer.span('outer', { attributes: { count: 3, share: 0.5, isFine: true, none: null } }, async () => {
    await tracer.span('inner', { kind: 'client' }, async () => {})
  })
  await tracer.close()
  const [inner, outer] = collector.spans
  expect([outer?.attributes, outer?.service]).toEqual([{ count: 3, share: 0.5, isFine: true }, 'desk'])
  expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId, kind: 3 })
  expect(BigInt(outer?.endTimeUnixNano ?? 0) >= BigInt(inner?.endTimeUnixNano ?? 0)).toBe(true)
  expect(collector.calls[0]?.headers).toMatchObject({
    authorization: 'Bearer abc',
    'x-team': 'a=b',
    'user-agent': 'beckon/1.2.3',
    'content-encoding': 'gzip',
  })
  expect([collector.faults, problems]).toEqual([[], []])
})

it('sends spans again that a collector could not take at the moment, and not those that it refuses', async () => {
  collector.replies.push({ status: 503, headers: { 'retry-after': '0.01' } }, { status: 200 }, { status: 400 })
  const tracer = await open()
  await tracer.span('kept', {}, async () => {})
  await expect.poll(() => collector.spans.map(({ name }) => name)).toEqual(['kept'])
  await tracer.span('refused', {}, async () => {})
  await expect.poll(() => collector.calls.length).toBe(3)
  await tracer.span('next', {}, async () => {})
  await tracer.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['kept', 'next'])
  expect(problems).toEqual(['The collector replied with the status 503.', 'The collector replied with the status 400.'])
})

it('harms nobody while the collector is away, and keeps no more spans than the queue has room for', async () => {
  const tracer = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '60000',
    OTEL_BSP_MAX_QUEUE_SIZE: '5',
  })
  for (let i = 0; i < 20; i += 1) expect(await tracer.span('one', {}, async () => i)).toBe(i)
  await expect(tracer.span('two', {}, async () => Promise.reject(new Error('my fault')))).rejects.toThrow('my fault')
  await tracer.close()
  expect(problems).toEqual(['The collector is too slow: spans are dropped.'])
})

it('follows the sampler, and the decision of the caller', async () => {
  const tracer = await open({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })
  const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await tracer.span('root', {}, async () => {})
  await tracer.span('child', { parent }, async () => {})
  await tracer.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['child'])
})

it.each([
  [{}, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' }, 'http://c:4318/base/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/in' }, 'https://c/in'],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
])('with %j sends to %s', (env, url) => {
  const { settings, problem } = readTracingSettings(env)
  expect([settings?.url ?? null, problem]).toEqual([url, null])
})

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /http\/json.*4318/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must begin with http/],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /otlp and none/],
])('with %j traces nothing and says why', (env, problem) => {
  expect(readTracingSettings(env)).toEqual({ settings: null, problem: expect.stringMatching(problem) })
})
