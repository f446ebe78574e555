import type { ServerResponse } from 'node:http'
import type { Operation } from '../protocol/operations/index.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { replyTo } from './errors.ts'
import type { Metrics } from './metrics/metrics.ts'

export interface CallObserver {
  /** Measures a call, and traces it where this server traces. */
  observe<T>(operation: Operation, traceparent: string | undefined, work: () => Promise<T>): Promise<T>
  /** Traces a call that is held open until its response is closed. */
  traceHeld(operation: Operation, traceparent: string | undefined, response: ServerResponse): void
}

export function createCallObserver({ metrics, tracer }: { metrics: Metrics; tracer: Tracer | null }): CallObserver {
  return { observe, traceHeld }

  async function observe<T>(operation: Operation, traceparent: string | undefined, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      return tracer && isTraced(operation) ? await inSpan(tracer, operation, traceparent, work) : await work()
    } finally {
      metrics.timeCall(operation.name, performance.now() - begun)
    }
  }

  function traceHeld(operation: Operation, traceparent: string | undefined, response: ServerResponse) {
    if (!tracer) return
    const span = tracer.start(nameOf(operation), optionsOf(operation, traceparent))
    response.on('close', () => {
      span.set({ 'http.response.status_code': response.statusCode, 'beckon.held': true })
      span.end(response.statusCode >= 500 ? new Error() : undefined)
    })
  }
}

/** A caller's mistake is not a failure of the server: the span has its status and counts as fine. */
async function inSpan<T>(
  tracer: Tracer,
  operation: Operation,
  traceparent: string | undefined,
  work: () => Promise<T>,
) {
  const span = tracer.span(nameOf(operation), optionsOf(operation, traceparent), async current => {
    try {
      return { result: await work() }
    } catch (error) {
      const { status } = replyTo(error)
      current.set({ 'http.response.status_code': status })
      if (status >= 500) throw error
      return { error }
    }
  })
  const done = await span
  if ('error' in done) throw done.error
  return done.result
}

/** Those who only look whether the server is there would fill a collector. */
function isTraced({ name, scope }: Operation): boolean {
  return scope !== null && name !== 'metrics' && name !== 'openapi' && name !== 'docs'
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

/** Without a trace of the caller's, a new one begins. */
function optionsOf({ name, method, path }: Operation, traceparent: string | undefined) {
  return {
    kind: 'server',
    parent: traceparent ?? null,
    attributes: { 'http.request.method': method, 'http.route': path, 'beckon.operation': name },
  } as const
}
