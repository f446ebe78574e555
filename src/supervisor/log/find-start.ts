import type { FileHandle } from 'node:fs/promises'
import { blockBytes, headerBytes, type LogStream, offsetAfter, type StoredRecord, streamOf } from './format.ts'
import { type Block, blocksBackwards, findEnd, listSegments, openSegment, readBlock } from './segments.ts'

export type LogPosition = 'start' | { lines: number } | { offset: number } | { time: number }

/** Where to begin: a record of a segment, and the offset of a byte in it. */
export interface LogStart {
  segment: number
  position: number
  offset: number
  /** Whether this is the end of a closed log. */
  closed: boolean
}

// Segments are numbered from 1, so every segment comes after this.
const beginning: LogStart = { segment: 0, position: 0, offset: 0, closed: false }
const newline = 0x0a

/** Finds a position without reading what comes before it. */
export async function findStart(
  folder: string,
  position: LogPosition,
  streams: readonly LogStream[],
): Promise<LogStart> {
  if (position === 'start') return beginning
  if ('lines' in position) return startOfLines(folder, position.lines, streams)
  if ('time' in position) return startOfTime(folder, position.time)
  // Before the offset, not at it: a note there may be the last record of the block before.
  const block = await lastBlock(folder, record => record.offset < position.offset)
  return { segment: block?.segment ?? 0, position: block?.start ?? 0, offset: position.offset, closed: false }
}

async function startOfTime(folder: string, time: number): Promise<LogStart> {
  const block = await lastBlock(folder, record => record.time < time)
  const last = block?.records.at(-1)
  if (!block || !last) return beginning
  const first = block.records.find(record => record.time >= time)
  return first ? within(block, first, 0) : within(block, last, last.bytes.length)
}

/** A note is a line of its own, and so is output that does not end in a line break. */
async function startOfLines(folder: string, lines: number, streams: readonly LogStream[]): Promise<LogStart> {
  if (lines <= 0) return (await findEnd(folder)) ?? beginning
  let left = lines
  // Whether we have read bytes of a line, but not its beginning.
  let isInLine = false
  for (const segment of (await listSegments(folder)).reverse()) {
    for await (const block of blocksBackwards(folder, segment)) {
      for (const record of block.records.reverse()) {
        const stream = streamOf(record)
        if (stream === null || !streams.includes(stream)) continue
        const count = stream === 'out' || stream === 'err' ? inOutput(record.bytes) : inNote(record.bytes)
        if (count !== null) return within(block, record, count)
      }
    }
  }
  return beginning

  /** How many of its bytes come before the wanted lines; null if they begin earlier. */
  function inOutput(bytes: Buffer): number | null {
    for (let end = bytes.length; end > 0; ) {
      const found = bytes.lastIndexOf(newline, end - 1)
      isInLine ||= found < end - 1
      if (found < 0) return null
      if (isInLine) left -= 1
      if (left === 0) return found + 1
      isInLine = true
      end = found
    }
    return null
  }

  function inNote(note: Buffer): number | null {
    if (isInLine) left -= 1
    if (left === 0) return note.length
    isInLine = false
    left -= 1
    return left === 0 ? 0 : null
  }
}

/** The position after `count` bytes of a record. */
function within({ segment, start }: Block, record: StoredRecord, count: number): LogStart {
  const isPast = count === record.bytes.length
  const position = start + record.at + (isPast ? headerBytes + count : 0)
  const offset = Math.min(record.offset + count, offsetAfter(record))
  return { segment, position, offset, closed: isPast && record.kind === 'end' }
}

/** The last block that begins before the position; null if none does. */
async function lastBlock(folder: string, isBefore: (record: StoredRecord) => boolean): Promise<Block | null> {
  const segments = await listSegments(folder)
  const index = await lastWhere(segments.length, async index => {
    const file = await openSegment(folder, segments[index] as number)
    return file ? beginsBefore(file, 0).finally(() => file.close()) : null
  })
  const segment = segments[index]
  const file = segment === undefined ? null : await openSegment(folder, segment)
  if (!file || segment === undefined) return null
  try {
    const { size } = await file.stat()
    const index = await lastWhere(Math.ceil(size / blockBytes), index => beginsBefore(file, index))
    return await readBlock(file, segment, Math.max(index, 0))
  } finally {
    await file.close()
  }

  async function beginsBefore(file: FileHandle, index: number): Promise<boolean | null> {
    const [first] = (await readBlock(file, 0, index)).records
    return first ? isBefore(first) : null
  }
}

/** Bisects. A damaged or removed piece counts like the piece before it. */
async function lastWhere(count: number, holds: (index: number) => Promise<boolean | null>): Promise<number> {
  let low = -1
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >> 1
    let result: boolean | null = null
    for (let index = middle; index > low && result === null; index -= 1) result = await holds(index)
    if (result ?? true) low = middle
    else high = middle
  }
  return low
}
