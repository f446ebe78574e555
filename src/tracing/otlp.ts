import type { Attributes } from './tracer.ts'

// Spans as OTLP has them in JSON: ids in hexadecimal, times in nanoseconds as texts, enumerations as numbers.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: keyof typeof kinds
  /** Milliseconds since 1970. */
  start: number
  end: number
  attributes: Attributes
  link: { traceId: string; spanId: string } | null
  /** The code of the error; null where it went well. */
  error: string | null
}

const kinds = { internal: 1, server: 2, client: 3 }
const failed = 2

export function encodeSpans(spans: readonly FinishedSpan[], resource: Attributes, version: string): string {
  const scopeSpans = [{ scope: { name: 'beckon', version }, spans: spans.map(encodeSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans }] })
}

function encodeSpan({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, link, error }: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: encodeAttributes(attributes),
    ...(link ? { links: [{ traceId: link.traceId, spanId: link.spanId }] } : {}),
    status: error === null ? {} : { code: failed, message: error },
  }
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )
}

function encodeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** More digits than a number has: milliseconds and the rest of them separately. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1_000_000))}`
}
