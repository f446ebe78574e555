/** What a span says about itself. Never a text of an agent or a person: ids, kinds, statuses and numbers. */
export type Attributes = Record<string, string | number | boolean | null | undefined>

export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client'
  /** The span that it belongs to; null begins a new trace; else it belongs to the current one. */
  parent?: string | null | undefined
  /** The trace that it has to do with, without being part of it. */
  link?: string | null | undefined
  attributes?: Attributes
  /** When it began, where that was not now; in milliseconds since 1970. */
  at?: number
}

export interface Span {
  /** As a header tells it to others. */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** Counts as failed where there is an error. */
  end(error?: unknown, at?: number): void
}

/** Where spans go: to an OTLP collector by Beckon's own exporter, or to the OpenTelemetry SDK of the program around it. */
export interface Tracer {
  /** Runs the work inside a new span, so that what it calls is part of it. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** A span that ends later than the function that began it. */
  start(name: string, options?: SpanOptions): Span
  /** The span that this code runs in; null outside of all. */
  current(): string | null
  /** Sends what is left. Returns soon, also where nobody takes it. */
  close(): Promise<void>
}
