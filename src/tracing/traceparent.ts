/** A place in a trace, as W3C Trace Context has it. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  sampled: boolean
}

// A later version may say more after the flags; of version 00 that is the end.
const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Null where it is not one: it comes from outside. */
export function readTraceparent(text: string | null | undefined): SpanContext | null {
  const [, version, traceId, spanId, flags, more] = (text && text.length <= 200 && pattern.exec(text.trim())) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === '00' && more !== undefined) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, sampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}
