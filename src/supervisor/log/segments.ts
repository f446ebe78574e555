import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blockBytes, offsetAfter, readRecords, type StoredRecord } from './format.ts'

export interface Block {
  segment: number
  /** Its position in the segment's file. */
  start: number
  records: StoredRecord[]
  /** The position after its last whole record in the segment's file. */
  end: number
}

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(8, '0')}.log`)
}

/** The numbers of the existing segments, oldest first. */
export async function listSegments(folder: string): Promise<number[]> {
  const files = await readdir(folder).catch(ifMissing([]))
  return files
    .filter(file => /^\d{8,}\.log$/.test(file))
    .map(file => Number.parseInt(file, 10))
    .sort((a, b) => a - b)
}

/** Null if it was removed meanwhile. */
export function openSegment(folder: string, segment: number): Promise<FileHandle | null> {
  return open(segmentPath(folder, segment), 'r').catch(ifMissing(null))
}

/** The blocks of a segment that hold records, last one first; none if it was removed meanwhile. */
export async function* blocksBackwards(folder: string, segment: number): AsyncGenerator<Block> {
  const file = await openSegment(folder, segment)
  if (!file) return
  try {
    const { size } = await file.stat()
    for (let index = Math.ceil(size / blockBytes) - 1; index >= 0; index -= 1) {
      const block = await readBlock(file, segment, index)
      if (block.records.length > 0) yield block
    }
  } finally {
    await file.close()
  }
}

export async function readBlock(file: FileHandle, segment: number, index: number): Promise<Block> {
  const start = index * blockBytes
  const { records, end } = readRecords(await readBytes(file, start, start + blockBytes))
  return { segment, start, records, end: start + end }
}

/** Into a new buffer each time, because the records are views of it. */
export async function readBytes(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(to - from)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

export interface LogEnd {
  segment: number
  position: number
  offset: number
  /** Whether its writer has closed the log. */
  closed: boolean
}

/** The end of the last whole record; null where there is none. */
export async function findEnd(folder: string): Promise<LogEnd | null> {
  for (const segment of (await listSegments(folder)).reverse()) {
    for await (const { records, end } of blocksBackwards(folder, segment)) {
      const last = records.at(-1) as StoredRecord
      return { segment, position: end, offset: offsetAfter(last), closed: last.kind === 'end' }
    }
  }
  return null
}

export function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return error => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value
    throw error
  }
}
