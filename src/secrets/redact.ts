import { formsOf } from './forms.ts'
import { createMatcher, type Matcher } from './matcher.ts'

export interface Redactor {
  /** Hides a secret from now on, but not in what was passed on already. */
  add(secret: string): void
  /** What may be passed on. That is the chunk itself where nothing is hidden or held back, so do not modify it later. */
  push(chunk: Uint8Array): Buffer
  /** The rest that was held back. The redactor is then ready for another stream. */
  end(): Buffer
}

/** Bytes that secrets cover, counted from the beginning of the chunk. */
interface Span {
  start: number
  end: number
  /** Whether its mark was passed on. */
  isMarked: boolean
}

const mark = Buffer.from('[redacted]')
const nothing = Buffer.alloc(0)

/**
 * Replaces every secret in a stream of bytes with `[redacted]`, in any of its usual forms and however the stream is cut into
 * chunks. Overlapping secrets are hidden as one. Bytes are held back only while they may begin a secret, so that a
 * person who follows sees output at once.
 *
 * It does not find secrets shorter than 4 bytes, secrets with color codes between their letters, wrapped base64, hex, or
 * what a program does to leak a secret on purpose: it prevents accidents.
 */
export function createRedactor(): Redactor {
  const patterns = new Map<string, Buffer>()
  let matcher: Matcher | null = null
  let state = 0
  let held = nothing
  let spans: Span[] = []
  return { add, push, end }

  function add(secret: string) {
    for (const form of formsOf(secret)) patterns.set(form.toString('latin1'), form)
    matcher = null
  }

  function push(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (patterns.size === 0) return bytes
    matcher ??= rebuild()
    state = matcher.scan(state, bytes, cover)
    return release(bytes, bytes.length - matcher.depth(state))
  }

  function end(): Buffer {
    state = 0
    return release(nothing, 0)
  }

  /** A new set of secrets needs a new matcher, which reads what is held back once more. */
  function rebuild(): Matcher {
    const made = createMatcher([...patterns.values()])
    state = made.scan(0, held, (start, end) => cover(start - held.length, end - held.length))
    return made
  }

  function cover(start: number, end: number) {
    const span = { start, end, isMarked: false }
    for (let last = spans.at(-1); last && last.end > start; last = spans.at(-1)) {
      span.start = Math.min(span.start, last.start)
      span.end = Math.max(span.end, last.end)
      span.isMarked ||= last.isMarked
      spans.pop()
    }
    spans.push(span)
  }

  /** Passes on everything before `until`, where no secret can begin any more. */
  function release(chunk: Buffer, until: number): Buffer {
    const pieces: Buffer[] = []
    let at = -held.length
    for (const span of spans) {
      if (span.start >= until) break
      copy(at, span.start)
      if (!span.isMarked) pieces.push(mark)
      span.isMarked = true
      at = span.end
    }
    copy(at, until)
    held = Buffer.concat([held.subarray(held.length + Math.min(until, 0)), chunk.subarray(Math.max(until, 0))])
    spans = spans
      .filter(span => span.end > until)
      .map(span => ({ ...span, start: span.start - chunk.length, end: span.end - chunk.length }))
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)

    function copy(from: number, to: number) {
      if (from < Math.min(to, 0)) pieces.push(held.subarray(held.length + from, held.length + Math.min(to, 0)))
      if (to > Math.max(from, 0)) pieces.push(chunk.subarray(Math.max(from, 0), to))
    }
  }
}
