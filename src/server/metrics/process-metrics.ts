import { collectDefaultMetrics, Registry } from 'prom-client'

// To go through every open connection takes long where there are twenty thousand, and tells less than `beckon_waits_held`.
const unwanted = [
  ...['nodejs_active_handles', 'nodejs_active_handles_total', 'nodejs_active_requests', 'nodejs_active_requests_total'],
  ...['nodejs_active_resources', 'nodejs_active_resources_total'],
]
/** Milliseconds between two looks at how late the event loop is. */
const eventLoopMonitoringPrecision = 20

let registry: Registry | null = null

/** Memory, processor time, descriptors, garbage collection and the event loop: once, however many servers it runs. */
export function processMetrics(): Registry {
  if (registry) return registry
  registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision })
  for (const name of unwanted) registry.removeSingleMetric(name)
  return registry
}
