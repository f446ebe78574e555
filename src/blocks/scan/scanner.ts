import type { Item } from '../items.ts'
import { createFinder, mayMatter } from './finder.ts'
import { createHeld } from './line-buffer.ts'
import { createReader, type ReaderOptions, type Restart } from './reader.ts'

export interface ScannerOptions extends Partial<ReaderOptions> {
  /** After this much silence, in milliseconds, a phase is complete, and a last line needs no line break. */
  quiet?: number
  /** Goes on where another scanner stood: the next bytes are the ones from `at` on. */
  from?: ScannerMark
}

/** How far a scanner needs nothing of what it was given any more. Another one goes on from here, and finds the same. */
export interface ScannerMark extends Restart {
  /** In the middle of a line that cannot matter. */
  skipping: boolean
}

export interface Scanner {
  push(chunk: Uint8Array): Item[]
  /** To be called now and then, with any clock in milliseconds that only goes forward. */
  tick(now: number): Item[]
  /** Nothing comes any more: what is open is told as malformed. */
  end(): Item[]
  mark(): ScannerMark
}

const newline = 10

/**
 * Finds blocks in a stream of bytes. This half cuts the stream into lines and looks only at those that may matter; what
 * they mean is for the reader. Memory is bounded by the caps, time is linear, and how the bytes are cut into chunks
 * makes no difference.
 */
export function createScanner({ quiet = 2_000, from, ...options }: ScannerOptions = {}): Scanner {
  const reader = createReader(
    { nonce: null, blockBytes: 256 * 1_024, blockTime: 60_000, ...options },
    from?.fence ?? null,
  )
  const finder = createFinder()
  const held = createHeld()
  let at = from?.at ?? 0
  let lineStart = from?.skipping ? at - 1 : at
  /** The line is longer than any that matters: its rest is not kept. */
  let skipping = from?.skipping ?? false
  let moved = false
  let quietSince: number | null = null
  return { push, tick, end, mark }

  function push(chunk: Uint8Array): Item[] {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const base = at
    let from = 0
    if (lineStart < base) {
      const stop = bytes.indexOf(newline)
      hold(stop < 0 ? bytes : bytes.subarray(0, stop))
      from = stop < 0 ? bytes.length : stop + 1
      if (stop >= 0) endLine(base + stop)
    }
    if (from < bytes.length) {
      from = readLines(bytes, from, base)
      lineStart = base + from
      hold(bytes.subarray(from))
    }
    at = base + bytes.length
    moved ||= bytes.length > 0
    return reader.take()
  }

  function tick(now: number): Item[] {
    if (moved || quietSince === null) quietSince = now
    moved = false
    if (now - quietSince >= quiet) {
      if (held.length > 0 && reader.isWhole(held.view().toString())) endLine(at - 1)
      reader.silence()
    }
    reader.tick(now)
    return reader.take()
  }

  function end(): Item[] {
    if (held.length > 0) endLine(at - 1)
    reader.end()
    return reader.take()
  }

  function mark(): ScannerMark {
    return skipping ? { ...reader.restart(at), skipping } : { ...reader.restart(lineStart), skipping }
  }

  /** All lines up to the last line break of a chunk, and where the rest begins. */
  function readLines(bytes: Buffer, first: number, base: number): number {
    const end = bytes.lastIndexOf(newline) + 1
    if (end > first) finder.begin()
    for (let from = seek(bytes, first, end); from < end; ) {
      const stop = bytes.indexOf(newline, from)
      give(bytes, from, stop, base + from)
      from = seek(bytes, stop + 1, end)
    }
    return Math.max(first, end)
  }

  /** Where the next line starts that the reader has to see. */
  function seek(bytes: Buffer, first: number, end: number): number {
    let from = first
    while (from < end && reader.interest() !== 'all') {
      const place = finder.next(bytes, from)
      if (reader.interest() === 'tags') {
        return place < end ? Math.max(from, bytes.lastIndexOf(newline, place) + 1) : end
      }
      from = countLines(bytes, from, Math.min(place, end))
      if (place < end && reader.interest() === 'counted') return from
    }
    return from
  }

  /** Passes the lines that end before a place, as long as they are counted. */
  function countLines(bytes: Buffer, first: number, place: number): number {
    let from = first
    for (let stop = bytes.indexOf(newline, from); stop >= 0 && stop < place; stop = bytes.indexOf(newline, from)) {
      reader.pass()
      from = stop + 1
      if (reader.interest() !== 'counted') break
    }
    return from
  }

  function hold(bytes: Buffer): void {
    if (skipping || bytes.length === 0) return
    const room = reader.room(lineStart)
    if (held.length + bytes.length <= room) {
      held.append(bytes)
      return
    }
    held.append(bytes.subarray(0, Math.max(0, room + 1 - held.length)))
    giveHeld()
    held.clear()
    skipping = true
  }

  /** The line that was held ends before `stop + 1`, which is where the next one starts. */
  function endLine(stop: number): void {
    if (!skipping) {
      if (reader.interest() === 'all' || mayMatter(held.view())) giveHeld()
      else reader.pass()
    }
    held.clear()
    skipping = false
    lineStart = stop + 1
  }

  function giveHeld(): void {
    give(held.view(), 0, held.length, lineStart)
  }

  function give(bytes: Buffer, from: number, stop: number, start: number): void {
    const room = reader.room(start)
    if (stop - from <= room) reader.line(bytes.toString('utf8', from, stop), start, start + stop - from)
    else reader.overlong(bytes.toString('utf8', from, from + Math.max(0, room)), start)
  }
}
