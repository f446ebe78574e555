/** Metrics for Prometheus. Gauges are read when Prometheus asks. */
export interface Metrics {
  countCall(method: string, status: number): void
  gauge(name: string, help: string, read: () => number): void
  print(): string
}

export function createMetrics(): Metrics {
  const calls = new Map<string, number>()
  const gauges: { name: string; help: string; read: () => number }[] = []
  return {
    countCall(method, status) {
      const labels = `method="${method}",status="${Math.floor(status / 100)}xx"`
      calls.set(labels, (calls.get(labels) ?? 0) + 1)
    },
    gauge: (name, help, read) => gauges.push({ name, help, read }),
    print: () =>
      [
        '# HELP beckon_http_calls_total Calls that were answered.',
        '# TYPE beckon_http_calls_total counter',
        ...[...calls].map(([labels, count]) => `beckon_http_calls_total{${labels}} ${count}`),
        ...gauges.flatMap(({ name, help, read }) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} gauge`,
          `${name} ${read()}`,
        ]),
        '',
      ].join('\n'),
  }
}
