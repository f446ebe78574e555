import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { SharedHub } from '../../hub/shared-hub.ts'
import { type TargetKind, targetKinds } from '../../protocol/index.ts'
import { processMetrics } from './process-metrics.ts'
import { observeStoreCalls } from './store-calls.ts'
import { createStoreMetrics } from './store-metrics.ts'

/**
 * Metrics for Prometheus. Those about requests are of the whole store and the same from every server that shares it; the
 * others are of this process. docs/metrics.md lists them. No label is ever text of an agent.
 */
export interface Metrics {
  countCall(method: string, status: number): void
  timeCall(operation: string, milliseconds: number): void
  /** Of a notification that was sent, with the milliseconds since the event. */
  countNotification(target: TargetKind | 'callback', result: NotificationResult, milliseconds?: number): void
  gauge(name: string, help: string, read: () => number): void
  print(): Promise<string>
}

/** `failed` is one attempt; after a day of them a notification is given up. */
type NotificationResult = 'sent' | 'failed' | 'given_up'

interface Options {
  hub: Pick<SharedHub, 'statistics' | 'observeStore'>
  version: string
}

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE

const callTimes = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const notificationTimes = [0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 86_400]
// Node accepts some forty.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics({ hub, version }: Options): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({
    name: 'beckon_http_calls_total',
    help: 'Calls that this server answered, by method and status.',
    labelNames: ['method', 'status'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'beckon_http_call_seconds',
    help: 'Time that this server took for a call, by operation; without streams and calls that wait.',
    labelNames: ['operation'],
    buckets: callTimes,
    registers,
  })
  const notifications = {
    sent: countNotifications('sent', 'Notifications from this server that a target accepted.'),
    failed: countNotifications('failed', 'Attempts of this server to send a notification that failed.'),
    given_up: countNotifications('given_up', 'Notifications that this server gave up after a day of attempts.'),
  }
  const notificationSeconds = new Histogram({
    name: 'beckon_notification_delay_seconds',
    help: 'Time from an event until a target accepted the notification of it from this server.',
    labelNames: ['target'],
    buckets: notificationTimes,
    registers,
  })
  new Gauge({
    name: 'beckon_build_info',
    help: 'The version of this server; the value is always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  observeStoreCalls(registry, hub)
  const storeMetrics = createStoreMetrics(registry, hub)
  const all = Registry.merge([registry, processMetrics()])
  let printing: Promise<string> | null = null

  return {
    countCall: (method, status) => calls.inc({ method: methods.has(method) ? method : 'other', status }),
    timeCall: (operation, milliseconds) => callSeconds.observe({ operation }, milliseconds / 1_000),
    countNotification(target, result, milliseconds) {
      notifications[result].inc({ target })
      if (milliseconds !== undefined) notificationSeconds.observe({ target }, milliseconds / 1_000)
    },
    gauge: (name, help, read) =>
      void new Gauge({
        name,
        help,
        registers: [registry, all],
        collect() {
          this.set(read())
        },
      }),
    print,
  }

  /** All who ask at the same time get the same text: the store is looked at once for them. */
  function print(): Promise<string> {
    printing ??= storeMetrics
      .collect()
      .then(() => all.metrics())
      .finally(() => {
        printing = null
      })
    return printing
  }

  function countNotifications(what: NotificationResult, help: string) {
    const counter = new Counter({ name: `beckon_notifications_${what}_total`, help, labelNames: ['target'], registers })
    // Prometheus sees an increase only of what was there before.
    for (const target of [...targetKinds, 'callback']) counter.inc({ target }, 0)
    return counter
  }
}
