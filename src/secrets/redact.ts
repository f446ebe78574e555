import { formsOf } from './forms.ts'
import { createMatcher, type Matcher } from './matcher.ts'

export interface Redactor {
  /** From now on; what was passed on already cannot be taken back. */
  add(secret: string): void
  /** What may be passed on: the chunk itself where nothing is hidden or held back, so it must not be changed later. */
  push(chunk: Uint8Array): Buffer
  /** What was held back. The redactor is ready for another stream. */
  end(): Buffer
}

/** A stretch that secrets cover, counted from the beginning of the chunk. */
interface Span {
  start: number
  end: number
  /** Whether the mark that stands for it was passed on. */
  told: boolean
}

const mark = Buffer.from('[redacted]')
const nothing = Buffer.alloc(0)

/**
 * Puts `[redacted]` in the place of every secret in a stream of bytes, however it is cut into chunks, and in whichever
 * of its usual forms. Secrets that overlap are hidden as one. Bytes are held back only while they are the beginning of
 * a secret, so that a person who follows sees output at once.
 *
 * Not found are secrets shorter than 4 bytes, secrets with colour codes between their letters, wrapped base64, hex, and
 * whatever else a program that means to leak one can think of: this keeps accidents out of logs.
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
    matcher ??= begin()
    state = matcher.scan(state, bytes, cover)
    return release(bytes, bytes.length - matcher.depth(state))
  }

  function end(): Buffer {
    state = 0
    return release(nothing, 0)
  }

  /** With another set of secrets, what is held back is read once more. */
  function begin(): Matcher {
    const made = createMatcher([...patterns.values()])
    state = made.scan(0, held, (start, end) => cover(start - held.length, end - held.length))
    return made
  }

  function cover(start: number, end: number) {
    const span = { start, end, told: false }
    for (let last = spans.at(-1); last && last.end > start; last = spans.at(-1)) {
      span.start = Math.min(span.start, last.start)
      span.end = Math.max(span.end, last.end)
      span.told ||= last.told
      spans.pop()
    }
    spans.push(span)
  }

  /** Passes on all before `until`, in front of which no secret can begin any more. */
  function release(chunk: Buffer, until: number): Buffer {
    const pieces: Buffer[] = []
    let at = -held.length
    for (const span of spans) {
      if (span.start >= until) break
      copy(at, span.start)
      if (!span.told) pieces.push(mark)
      span.told = true
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
