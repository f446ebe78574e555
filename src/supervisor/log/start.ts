import type { FileHandle } from 'node:fs/promises'
import { blockBytes, headerBytes, type LogStream, offsetAfter, type StoredRecord } from './format.ts'
import { type Block, blocksBackwards, findEnd, listSegments, openSegment, readBlock } from './segments.ts'

export type LogPlace = 'start' | { lines: number } | { offset: number } | { time: number }

/** Where to begin: at a record of a segment, and in it at the byte with this offset. */
export interface LogStart {
  segment: number
  position: number
  offset: number
  /** Whether this is behind the end of a log that was closed for good. */
  closed: boolean
}

// Segments are counted from 1: whatever there is comes after this.
const beginning: LogStart = { segment: 0, position: 0, offset: 0, closed: false }
const newline = 0x0a

/** Finds a place without reading what comes before it. */
export async function findStart(folder: string, place: LogPlace, streams: readonly LogStream[]): Promise<LogStart> {
  if (place === 'start') return beginning
  if ('lines' in place) return startOfLines(folder, place.lines, streams)
  if ('time' in place) return startOfTime(folder, place.time)
  // Not at the offset itself: a note there may be the last of the block before.
  const block = await lastBlock(folder, record => record.offset < place.offset)
  return { segment: block?.segment ?? 0, position: block?.start ?? 0, offset: place.offset, closed: false }
}

async function startOfTime(folder: string, time: number): Promise<LogStart> {
  const block = await lastBlock(folder, record => record.time < time)
  const last = block?.records.at(-1)
  if (!block || !last) return beginning
  const first = block.records.find(record => record.time >= time)
  return first ? within(block, first, 0) : within(block, last, last.bytes.length)
}

/** A note is a line of its own; output that does not end in a line break is a line too. */
async function startOfLines(folder: string, lines: number, streams: readonly LogStream[]): Promise<LogStart> {
  if (lines <= 0) return (await findEnd(folder)) ?? beginning
  let left = lines
  // Whether bytes of a line were seen whose beginning was not.
  let amid = false
  for (const segment of (await listSegments(folder)).reverse()) {
    for await (const block of blocksBackwards(folder, segment)) {
      for (const record of block.records.reverse()) {
        if (record.kind === 'begin' || record.kind === 'end' || !streams.includes(record.kind)) continue
        const count = record.kind === 'out' || record.kind === 'err' ? inOutput(record.bytes) : inNote(record.bytes)
        if (count !== null) return within(block, record, count)
      }
    }
  }
  return beginning

  /** How many of its bytes come before the lines, if they begin here. */
  function inOutput(bytes: Buffer): number | null {
    for (let end = bytes.length; end > 0; ) {
      const found = bytes.lastIndexOf(newline, end - 1)
      amid ||= found < end - 1
      if (found < 0) return null
      if (amid) left -= 1
      if (left === 0) return found + 1
      amid = true
      end = found
    }
    return null
  }

  function inNote(note: Buffer): number | null {
    if (amid) left -= 1
    if (left === 0) return note.length
    amid = false
    left -= 1
    return left === 0 ? 0 : null
  }
}

/** At the byte of a record that has this many before it. */
function within({ segment, start }: Block, record: StoredRecord, count: number): LogStart {
  const isPast = count === record.bytes.length
  const position = start + record.at + (isPast ? headerBytes + count : 0)
  const offset = Math.min(record.offset + count, offsetAfter(record))
  return { segment, position, offset, closed: isPast && record.kind === 'end' }
}

/** The last block that begins before something does; null where the log itself does not. */
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

/** Bisects. What cannot be told, of a damaged or removed piece, is taken to be as it is for the piece before. */
async function lastWhere(count: number, holds: (index: number) => Promise<boolean | null>): Promise<number> {
  let low = -1
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >> 1
    let told: boolean | null = null
    for (let index = middle; index > low && told === null; index -= 1) told = await holds(index)
    if (told ?? true) low = middle
    else high = middle
  }
  return low
}
