import type { Metric, Registry } from 'prom-client'

interface Options {
  name: string
  help: string
  /** In seconds. */
  limits: readonly number[]
  registry: Registry
}

interface Value {
  metricName: string
  labels: Record<string, string | number>
  value: number
}

/** A histogram that was counted elsewhere: prom-client's own can only be observed value by value. */
export class StoredHistogram {
  readonly name: string
  readonly #help: string
  readonly #limits: readonly number[]
  #values: Value[] = []

  constructor({ name, help, limits, registry }: Options) {
    this.name = name
    this.#help = help
    this.#limits = limits
    registry.registerMetric(this as unknown as Metric)
  }

  /** `buckets` are not added up: each has those beyond the limit before it; the last has those beyond all. */
  set(labels: Record<string, string>, buckets: readonly number[], sum: number): void {
    let count = 0
    for (const [i, inBucket] of buckets.entries()) {
      count += inBucket
      this.#add('_bucket', { ...labels, le: this.#limits[i] ?? '+Inf' }, count)
    }
    this.#add('_sum', labels, sum)
    this.#add('_count', labels, count)
  }

  reset(): void {
    this.#values = []
  }

  /** What the registry prints. */
  async get() {
    return { name: this.name, help: this.#help, type: 'histogram', aggregator: 'sum', values: this.#values }
  }

  #add(suffix: string, labels: Record<string, string | number>, value: number): void {
    this.#values.push({ metricName: `${this.name}${suffix}`, labels, value })
  }
}
