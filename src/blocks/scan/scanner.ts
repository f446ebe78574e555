import type { Item } from '../items.ts'
import { readFenceLine } from './fence-line.ts'
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
const backtick = 96

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
      buffer(bytes, 0, stop < 0 ? bytes.length : stop)
      from = stop < 0 ? bytes.length : stop + 1
      if (stop >= 0) endLine(base + stop)
    }
    if (from < bytes.length) {
      from = readLines(bytes, from, base)
      lineStart = base + from
      buffer(bytes, from, bytes.length)
    }
    at = base + bytes.length
    hasNewBytes ||= bytes.length > 0
    return reader.take()
  }

  function tick(now: number): Item[] {
    if (hasNewBytes || quietSince === null) quietSince = now
    hasNewBytes = false
    if (now - quietSince >= quiet) {
      if (lineBuffer.length > 0 && reader.isComplete(lineBuffer.toString('utf8'))) endLine(at - 1)
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
    return reader.interest() === 'all' || (lineBuffer.length > 0 && reader.isComplete(lineBuffer.toString('utf8')))
  }

  /** Reads all complete lines of a chunk, and returns where the rest begins. */
  function readLines(bytes: Buffer, first: number, base: number): number {
    const end = bytes.lastIndexOf(newline) + 1
    if (end > first) finder.begin()
    for (let from = seek(bytes, first, end); from < end; ) {
      const stop = passFence(bytes, from, end, base + from) ?? passLine(bytes, from, base + from)
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
        return position < end ? startOfLine(bytes, from, position) : end
      }
      from = countLines(bytes, from, Math.min(position, end))
      if (position < end && reader.interest() === 'counted') return from
    }
    return from
  }

  /** Counts the lines that end before a position, as long as the reader wants a count. Returns where it stopped. */
  function countLines(bytes: Buffer, first: number, limit: number): number {
    const most = reader.linesLeft()
    let count = 0
    let from = first
    // Lines of code are short: a search for the end of each takes longer than a look at its bytes.
    for (let at = first; at < limit && count < most; at += 1) {
      if (bytes[at] !== newline) continue
      count += 1
      from = at + 1
    }
    reader.countLines(count)
    return from
  }

  function buffer(bytes: Buffer, from: number, to: number): void {
    if (skipping || from === to) return
    const room = reader.room(lineStart)
    if (lineBuffer.length + to - from <= room) {
      lineBuffer.append(bytes, from, to)
      return
    }
    lineBuffer.append(bytes, from, from + Math.max(0, room + 1 - lineBuffer.length))
    passBuffered()
    lineBuffer.clear()
    skipping = true
  }

  /** Ends the buffered line at `stop`; the next one starts after it. */
  function endLine(stop: number): void {
    if (!skipping) {
      if (reader.interest() === 'all' || isCandidate(lineBuffer.toString('latin1'))) passBuffered()
      else reader.countLines(1)
    }
    lineBuffer.clear()
    skipping = false
    lineStart = stop + 1
  }

  function passBuffered(): void {
    pass(lineBuffer.view(), 0, lineBuffer.length, lineStart)
  }

  /** Passes a line of backticks on, which need not be decoded, and returns its end; null for any other line. */
  function passFence(bytes: Buffer, from: number, end: number, start: number): number | null {
    if (bytes[from] !== backtick || reader.interest() === 'all') return null
    const fence = readFenceLine(bytes, from, Math.min(end, from + reader.room(start)))
    if (!fence) return null
    reader.fenceLine(fence)
    return from + fence.length
  }

  function passLine(bytes: Buffer, from: number, start: number): number {
    const stop = bytes.indexOf(newline, from)
    pass(bytes, from, stop, start)
    return stop
  }

  function pass(bytes: Buffer, from: number, stop: number, start: number): void {
    const room = reader.room(start)
    if (stop - from <= room) reader.line(bytes.toString('utf8', from, stop), start, start + stop - from)
    else reader.overlong(bytes.toString('utf8', from, from + Math.max(0, room)), start)
  }
}

/** Where the line of a position starts, if not before `first`, where one starts. */
function startOfLine(bytes: Buffer, first: number, position: number): number {
  if (position === first || bytes[position - 1] === newline) return position
  return Math.max(first, bytes.lastIndexOf(newline, position) + 1)
}
