import { Counter, Gauge, type Registry } from 'prom-client'
import type { SharedHub } from '../../hub/shared-hub.ts'
import { type Statistics, timeLimits } from '../../hub/statistics.ts'
import type { RunStatus } from '../../protocol/index.ts'
import { StoredHistogram } from './stored-histogram.ts'

interface StoreMetrics {
  /** Reads what the store knows; where it cannot, these metrics are left out. */
  collect(): Promise<void>
}

const activeStatuses: RunStatus[] = ['starting', 'running', 'paused', 'asleep']
// Prometheus waits ten seconds by default. The metrics of the process must arrive also when the database hangs.
const deadline = 3_000

/** What the whole store knows, the same from every server that shares it. */
export function createStoreMetrics(registry: Registry, hub: Pick<SharedHub, 'statistics'>): StoreMetrics {
  const registers = [registry]
  const isUp = new Gauge({
    name: 'beckon_store_up',
    help: 'Whether this server could read the database for these metrics.',
    registers,
  })
  const waiting = gauge('requests_waiting', 'Requests that wait for a person.', ['kind', 'severity'])
  const oldestWaiting = gauge(
    'requests_oldest_waiting_seconds',
    'Age of the oldest request that waits for a person; 0 where none waits.',
    ['kind', 'severity'],
  )
  const undelivered = gauge(
    'requests_undelivered',
    'Decisions of people that the asker has not taken; at most 10,000 are counted.',
    ['kind'],
  )
  const oldestUndelivered = gauge(
    'requests_oldest_undelivered_seconds',
    'Time since the oldest decision that the asker has not taken; 0 where there is none.',
    ['kind'],
  )
  const unsent = gauge('notifications_waiting', 'Notifications that wait to be sent.', ['target'])
  const runs = gauge('runs_active', 'Runs of agents that have not ended.', ['status'])
  const created = counter('requests_created_total', 'Requests that were asked.', ['kind', 'severity'])
  const settled = counter('requests_settled_total', 'Requests that were settled.', [
    ...['kind', 'severity', 'status', 'channel'],
  ])
  const delivered = counter('requests_delivered_total', 'Outcomes that askers have taken.', ['kind'])
  const limits = timeLimits.map(limit => limit / 1_000)
  const timeToAnswer = new StoredHistogram({
    name: 'beckon_requests_time_to_answer_seconds',
    help: 'Time from the ask until a person decided; neither rules nor deadlines are counted.',
    limits,
    registry,
  })
  const timeToDeliver = new StoredHistogram({
    name: 'beckon_requests_time_to_deliver_seconds',
    help: 'Time from the settlement until the asker took the outcome.',
    limits,
    registry,
  })
  return { collect }

  async function collect() {
    const statistics = await inTime(hub.statistics())
    isUp.set(statistics ? 1 : 0)
    for (const metric of [waiting, oldestWaiting, undelivered, oldestUndelivered, unsent, runs]) metric.reset()
    for (const metric of [created, settled, delivered, timeToAnswer, timeToDeliver]) metric.reset()
    if (statistics) fill(statistics)
  }

  function fill(statistics: Statistics) {
    for (const { kind, severity, count, oldest } of statistics.waiting) {
      waiting.set({ kind, severity: severity ?? '' }, count)
      oldestWaiting.set({ kind, severity: severity ?? '' }, oldest / 1_000)
    }
    for (const { kind, count, oldest } of statistics.undelivered) {
      undelivered.set({ kind }, count)
      oldestUndelivered.set({ kind }, oldest / 1_000)
    }
    for (const { target, count } of statistics.unsentMessages) unsent.set({ target }, count)
    for (const status of activeStatuses) runs.set({ status }, 0)
    for (const { status, count } of statistics.activeRuns) runs.set({ status }, count)
    for (const { kind, severity, count } of statistics.created) created.inc({ kind, severity: severity ?? '' }, count)
    for (const { severity, count, ...labels } of statistics.settled) {
      settled.inc({ ...labels, severity: severity ?? '' }, count)
    }
    for (const { kind, count } of statistics.delivered) delivered.inc({ kind }, count)
    for (const { kind, severity, buckets, sum } of statistics.timesToAnswer) {
      timeToAnswer.set({ kind, severity: severity ?? '' }, buckets, sum / 1_000)
    }
    for (const { kind, buckets, sum } of statistics.timesToDeliver) timeToDeliver.set({ kind }, buckets, sum / 1_000)
  }

  function gauge(name: string, help: string, labelNames: string[]) {
    return new Gauge({ name: `beckon_${name}`, help, labelNames, registers })
  }

  function counter(name: string, help: string, labelNames: string[]) {
    return new Counter({ name: `beckon_${name}`, help, labelNames, registers })
  }
}

async function inTime(reading: Promise<Statistics>): Promise<Statistics | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, deadline, null)
  return Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer))
}
