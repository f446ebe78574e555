import { Counter, Histogram, type Registry } from 'prom-client'
import type { SharedHub } from '../../hub/shared-hub.ts'
import { BeckonError, type ErrorCode } from '../../protocol/index.ts'

const times = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
/** A call that is refused for what it asks is not a failure of the database. */
const faults: readonly ErrorCode[] = [
  ...(['busy', 'damaged', 'disk_full', 'read_only', 'replaced', 'unreachable', 'newer_schema', 'network_fs'] as const),
]

/** How long the database takes, as those who call it see it. */
export function observeStoreCalls(registry: Registry, hub: Pick<SharedHub, 'observeStore'>): void {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'beckon_store_call_seconds',
    help: 'Time that a call of this server to the database took; a change is committed by then.',
    labelNames: ['call'],
    buckets: times,
    registers,
  })
  const errors = new Counter({
    name: 'beckon_store_errors_total',
    help: 'Calls of this server to the database that failed because of the database.',
    labelNames: ['call', 'code'],
    registers,
  })
  // Prometheus sees an increase only of what was there before.
  for (const call of ['read', 'change']) for (const code of [...faults, 'unknown']) errors.inc({ call, code }, 0)
  const byCall = { read: seconds.labels('read'), change: seconds.labels('change') }
  hub.observeStore(call => {
    const begun = performance.now()
    return error => {
      byCall[call].observe((performance.now() - begun) / 1_000)
      const code = error === undefined ? null : faultOf(error)
      if (code !== null) errors.inc({ call, code })
    }
  })
}

function faultOf(error: unknown): ErrorCode | 'unknown' | null {
  if (!(error instanceof BeckonError)) return 'unknown'
  return faults.includes(error.code) ? error.code : null
}
