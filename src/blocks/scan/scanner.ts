import type { Item } from '../items.ts'
import { createFinder, isCandidate } from './finder.ts'
import { createLineBuffer } from './line-buffer.ts'
import { createReader, type ReaderOptions, type Restart } from './reader.ts'

export interface ScannerOptions extends Partial<ReaderOptions> {
  /** After this much silence, in milliseconds, a phase is complete and a last line needs no line break. */
  quiet?: number
  /** Continues where another scanner stopped: the next bytes are those from `at` on. */
  from?: ScannerMark
}

/** The position up to which a scanner is done. Another scanner that continues from here finds the same items. */
export interface ScannerMark extends Restart {
  /** In the middle of a line that is too long to be a candidate. */
  skipping: boolean
}

export interface Scanner {
  push(chunk: Uint8Array): Item[]
  /** Call this regularly, with any monotonic clock in milliseconds. */
  tick(now: number): Item[]
  /** The stream ended: an open block is malformed. */
  end(): Item[]
  mark(): ScannerMark
  /** Whether a block or a phase has begun and is not complete. */
  isInside(): boolean
}

const newline = 10

/**
 * Finds blocks in a stream of bytes. This part splits the stream into lines and passes the candidates for tags to the
 * reader, which interprets them. Memory is bounded by the limits, time is linear, and chunk boundaries do not matter.
 */
export function createScanner({ quiet = 2_000, from, ...options }: ScannerOptions = {}): Scanner {
  const reader = createReader(
    { nonce: null, blockBytes: 256 * 1_024, blockTime: 60_000, ...options },
    from?.fence ?? null,
  )
  const finder = createFinder()
  const lineBuffer = createLineBuffer()
  let at = from?.at ?? 0
  let lineStart = from?.skipping ? at - 1 : at
  /** The line is too long to be a candidate: its rest is dropped. */
  let skipping = from?.skipping ?? false
  let hasNewBytes = false
  let quietSince: number | null = null
  return { push, tick, end, mark, isInside }

  function push(chunk: Uint8Array): Item[] {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const base = at
    let from = 0
    if (lineStart < base) {
      const stop = bytes.indexOf(newline)
      buffer(stop < 0 ? bytes : bytes.subarray(0, stop))
      from = stop < 0 ? bytes.length : stop + 1
      if (stop >= 0) endLine(base + stop)
    }
    if (from < bytes.length) {
      from = readLines(bytes, from, base)
      lineStart = base + from
      buffer(bytes.subarray(from))
    }
    at = base + bytes.length
    hasNewBytes ||= bytes.length > 0
    return reader.take()
  }

  function tick(now: number): Item[] {
    if (hasNewBytes || quietSince === null) quietSince = now
    hasNewBytes = false
    if (now - quietSince >= quiet) {
      if (lineBuffer.length > 0 && reader.isComplete(lineBuffer.view().toString())) endLine(at - 1)
      reader.silence()
    }
    reader.tick(now)
    return reader.take()
  }

  function end(): Item[] {
    if (lineBuffer.length > 0) endLine(at - 1)
    reader.end()
    return reader.take()
  }

  function mark(): ScannerMark {
    return skipping ? { ...reader.restart(at), skipping } : { ...reader.restart(lineStart), skipping }
  }

  function isInside(): boolean {
    return reader.interest() === 'all' || (lineBuffer.length > 0 && reader.isComplete(lineBuffer.view().toString()))
  }

  /** Reads all complete lines of a chunk, and returns where the rest begins. */
  function readLines(bytes: Buffer, first: number, base: number): number {
    const end = bytes.lastIndexOf(newline) + 1
    if (end > first) finder.begin()
    for (let from = seek(bytes, first, end); from < end; ) {
      const stop = bytes.indexOf(newline, from)
      pass(bytes, from, stop, base + from)
      from = seek(bytes, stop + 1, end)
    }
    return Math.max(first, end)
  }

  /** Where the next line starts that the reader needs. */
  function seek(bytes: Buffer, first: number, end: number): number {
    let from = first
    while (from < end && reader.interest() !== 'all') {
      const position = finder.next(bytes, from)
      if (reader.interest() === 'tags') {
        return position < end ? Math.max(from, bytes.lastIndexOf(newline, position) + 1) : end
      }
      from = countLines(bytes, from, Math.min(position, end))
      if (position < end && reader.interest() === 'counted') return from
    }
    return from
  }

  /** Counts the lines that end before a position, as long as the reader wants a count. */
  function countLines(bytes: Buffer, first: number, limit: number): number {
    let from = first
    for (let stop = bytes.indexOf(newline, from); stop >= 0 && stop < limit; stop = bytes.indexOf(newline, from)) {
      reader.countLine()
      from = stop + 1
      if (reader.interest() !== 'counted') break
    }
    return from
  }

  function buffer(bytes: Buffer): void {
    if (skipping || bytes.length === 0) return
    const room = reader.room(lineStart)
    if (lineBuffer.length + bytes.length <= room) {
      lineBuffer.append(bytes)
      return
    }
    lineBuffer.append(bytes.subarray(0, Math.max(0, room + 1 - lineBuffer.length)))
    passBuffered()
    lineBuffer.clear()
    skipping = true
  }

  /** Ends the buffered line at `stop`; the next one starts after it. */
  function endLine(stop: number): void {
    if (!skipping) {
      if (reader.interest() === 'all' || isCandidate(lineBuffer.view())) passBuffered()
      else reader.countLine()
    }
    lineBuffer.clear()
    skipping = false
    lineStart = stop + 1
  }

  function passBuffered(): void {
    pass(lineBuffer.view(), 0, lineBuffer.length, lineStart)
  }

  function pass(bytes: Buffer, from: number, stop: number, start: number): void {
    const room = reader.room(start)
    if (stop - from <= room) reader.line(bytes.toString('utf8', from, stop), start, start + stop - from)
    else reader.overlong(bytes.toString('utf8', from, from + Math.max(0, room)), start)
  }
}
