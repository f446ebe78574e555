import { type FileHandle, stat } from 'node:fs/promises'
import { findStart, type LogPosition, type LogStart } from './find-start.ts'
import {
  blockBytes,
  type LogStream,
  offsetAfter,
  readRecords,
  type StoredRecord,
  splitReply,
  streamOf,
} from './format.ts'
import { findEnd, ifMissing, listSegments, openSegment, readBlock, readBytes, segmentPath } from './segments.ts'
import { watchFolder } from './watch-folder.ts'

export interface LogRecord {
  /** `gap` stands for missing output: removed as too old, lost to a full disk, or damaged. */
  stream: LogStream | 'gap'
  /** When it was written, in milliseconds. */
  time: number
  /** The offset of its first byte in the run's output. */
  offset: number
  bytes: Buffer
  /** The size of a gap in bytes; otherwise 0. */
  missing: number
}

export interface ReadLogOptions {
  /** Default: 'start'. A time is in milliseconds; lines count from the end, an unfinished one included. */
  from?: LogPosition
  /** Continues as the log grows, until its writer closes it or the signal aborts. */
  follow?: boolean
  signal?: AbortSignal
  /** Aborts when the log has no writer any more, closed or not: the rest is read, and then it ends. */
  over?: AbortSignal
  /** Only these streams; gaps are always included. */
  streams?: readonly LogStream[]
}

const allStreams: readonly LogStream[] = ['out', 'err', 'in', 'note']

/** The records of a log, one block of memory at a time, while another process may be writing it. */
export async function* readLog(folder: string, options: ReadLogOptions = {}): AsyncGenerator<LogRecord> {
  const { from = 'start', follow = false, signal, over, streams = allStreams } = options
  // Before the first read, so that no change falls between the read and the watch.
  const watch = follow ? watchFolder(folder, [signal, over]) : null
  let walk: Walk | null = null
  try {
    walk = createWalk(folder, await findStart(folder, from, streams))
    for (;;) {
      const changed = watch?.next()
      const isLast = !changed || over?.aborted
      for await (const record of walk.onward()) {
        if (signal?.aborted) return
        if (record.stream === 'gap' || streams.includes(record.stream)) yield record
      }
      if (isLast || walk.isClosed() || signal?.aborted) return
      await changed
    }
  } finally {
    watch?.stop()
    await walk?.stop()
  }
}

interface Walk {
  /** Everything that was written since the last call. */
  onward(): AsyncGenerator<LogRecord>
  isClosed(): boolean
  stop(): Promise<void>
}

/** Reads forward through the segments, and remembers its position. */
function createWalk(folder: string, start: LogStart): Walk {
  let { segment, position, offset, closed } = start
  let file: FileHandle | null = null
  return { onward, isClosed: () => closed, stop }

  async function stop() {
    await file?.close()
  }

  async function* onward(): AsyncGenerator<LogRecord> {
    for (;;) {
      // Checked first: once there is a later segment, this one is complete.
      const later = (await listSegments(folder)).find(number => number > segment)
      file ??= await openSegment(folder, segment)
      if (file) yield* restOf(file)
      if (later === undefined) return
      await file?.close()
      file = null
      segment = later
      position = 0
    }
  }

  async function* restOf(file: FileHandle): AsyncGenerator<LogRecord> {
    const { size } = await file.stat()
    while (position < size) {
      const blockEnd = (Math.floor(position / blockBytes) + 1) * blockBytes
      const { records, end } = readRecords(await readBytes(file, position, Math.min(blockEnd, size)))
      position += end
      for (const record of records) yield* toLogRecords(record)
      if (size < blockEnd) return
      // The block is complete: the rest of it is padding or damaged.
      position = blockEnd
    }
  }

  function* toLogRecords(record: StoredRecord): Generator<LogRecord> {
    const { kind, time } = record
    closed = kind === 'end'
    if (record.offset > offset) {
      yield { stream: 'gap', time, offset, bytes: Buffer.alloc(0), missing: record.offset - offset }
      offset = record.offset
    }
    // Skips what comes before the offset that the reader starts at.
    const skipped = offset - record.offset
    const isOutput = kind === 'out' || kind === 'err'
    const stream = streamOf(record)
    if (stream === null || (isOutput ? skipped >= record.bytes.length : skipped > 0)) return
    const from = offset
    offset = offsetAfter(record)
    const bytes = kind === 'reply' ? splitReply(record.bytes).text : record.bytes.subarray(skipped)
    yield { stream, time, offset: from, bytes, missing: 0 }
  }
}

export interface LogSize {
  /** The offset of the oldest byte that is stored. */
  start: number
  /** The offset after the last byte: how much the run has printed. */
  end: number
  /** The size of the log on the disk. */
  stored: number
  /** Whether its writer has closed it. */
  closed: boolean
}

/** For showing progress: `(record.offset - start) / (end - start)`. */
export async function logSize(folder: string): Promise<LogSize> {
  const segments = await listSegments(folder)
  const sizes = await Promise.all(segments.map(segment => sizeOf(segmentPath(folder, segment))))
  const { offset, closed } = (await findEnd(folder)) ?? { offset: 0, closed: false }
  const start = Math.min((await firstOffset(folder, segments)) ?? offset, offset)
  return { start, end: offset, stored: sizes.reduce((sum, size) => sum + size, 0), closed }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(ifMissing(null))
  return found?.size ?? 0
}

async function firstOffset(folder: string, segments: number[]): Promise<number | null> {
  for (const segment of segments) {
    const file = await openSegment(folder, segment)
    if (!file) continue
    try {
      const { records } = await readBlock(file, segment, 0)
      if (records[0]) return records[0].offset
    } finally {
      await file.close()
    }
  }
  return null
}
