import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { BeckonError } from '../protocol/errors.ts'
import type { Exporter } from './exporter.ts'
import type { FinishedSpan } from './otlp.ts'
import type { Sampler } from './settings.ts'
import { readTraceparent, type SpanContext, writeTraceparent } from './traceparent.ts'
import type { Attributes, Span, SpanOptions, Tracer } from './tracer.ts'

interface Options {
  exporter: Exporter
  sampler: Sampler
  /** The span that this process was started in. */
  parent: string | null | undefined
}

/** Beckon's own spans, sent to an OTLP collector. */
export function createOtlpTracer({ exporter, sampler, parent }: Options): Tracer {
  const contexts = new AsyncLocalStorage<SpanContext>()
  const outer = readTraceparent(parent)
  return { span, start, current, close: exporter.close }

  async function span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const begun = begin(name, options)
    return contexts.run(begun.context, async () => {
      try {
        const result = await work(begun)
        begun.end()
        return result
      } catch (error) {
        begun.end(error)
        throw error
      }
    })
  }

  function start(name: string, options: SpanOptions = {}): Span {
    return begin(name, options)
  }

  function current(): string | null {
    const context = contexts.getStore()
    return context ? writeTraceparent(context) : null
  }

  function begin(name: string, { kind = 'internal', parent, link, attributes = {}, at }: SpanOptions) {
    const above = parent === undefined ? (contexts.getStore() ?? outer) : readTraceparent(parent)
    const context = contextUnder(above)
    // A clock that is set does not bend a span: its length is measured apart from its beginning.
    const begun = performance.now()
    const begunAt = at ?? wallClock(begun)
    const all: Attributes = { ...attributes }
    let isOver = false
    return { context, traceparent: writeTraceparent(context), set, end }

    function set(more: Attributes) {
      Object.assign(all, more)
    }

    function end(error?: unknown, endedAt = begunAt + (performance.now() - begun)) {
      if (isOver || !context.sampled) return
      isOver = true
      exporter.add({
        ...context,
        parentSpanId: above?.spanId ?? null,
        name,
        kind,
        start: begunAt,
        end: endedAt,
        attributes: error === undefined ? all : { ...all, 'error.type': codeOf(error) },
        link: readTraceparent(link),
        error: error === undefined ? null : codeOf(error),
      } satisfies FinishedSpan)
    }
  }

  function contextUnder(above: SpanContext | null): SpanContext {
    const traceId = above?.traceId ?? randomBytes(16).toString('hex')
    const sampled = above && sampler.followsParent ? above.sampled : isInShare(traceId, sampler.ratio)
    return { traceId, spanId: randomBytes(8).toString('hex'), sampled }
  }
}

/** The same answer for a trace everywhere: it depends on nothing but its id. */
function isInShare(traceId: string, ratio: number): boolean {
  return ratio >= 1 || Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52
}

/** Never the message of an error: it may quote what an agent wrote. */
function codeOf(error: unknown): string {
  if (error instanceof BeckonError) return error.code
  return error instanceof Error ? error.name : 'error'
}

let clockOffset = performance.timeOrigin
const mostDrift = 50

/** Finer than `Date.now()`, so that no span seems to end after the one around it; follows a clock that is set. */
function wallClock(now: number): number {
  const drift = Date.now() - (clockOffset + now)
  if (Math.abs(drift) > mostDrift) clockOffset += drift
  return clockOffset + now
}
