import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { blockBytes } from './format.ts'
import { findEnd, ifMissing, type LogEnd, listSegments, segmentPath } from './segments.ts'
import type { Batch } from './staging.ts'

interface Limits {
  segmentBytes: number
  maxBytes: number
}

const emptyLog: LogEnd = { segment: 1, position: 0, offset: 0, closed: false }

/** Writes the files of a log. Every error is a BeckonError. */
export function createLogFiles(folder: string, { segmentBytes, maxBytes }: Limits) {
  let current: { segment: number; file: FileHandle } | null = null
  return {
    recover: () => guarded(recover),
    write: (batch: Batch) => guarded(() => write(batch)),
    checkSpace: () => guarded(checkSpace),
    close: () => guarded(close),
  }

  /** Removes what a dead writer or a full disk left after the last whole record, and returns where to continue. */
  async function recover(): Promise<LogEnd> {
    await closeCurrent()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { segment, position, offset, closed } = (await findEnd(folder)) ?? emptyLog
    // A segment without a whole record stays, because readers may be waiting in it.
    const last = (await listSegments(folder)).at(-1) ?? segment
    const end = last > segment ? { segment: last, position: 0 } : { segment, position }
    await truncate(segmentPath(folder, end.segment), end.position).catch(ifMissing(null))
    return { ...end, offset, closed }
  }

  async function write({ segment, position, buffers }: Batch): Promise<void> {
    const file = current?.segment === segment ? current.file : await begin(segment)
    let rest = buffers
    for (let at = position; rest.length > 0; ) {
      const { bytesWritten } = await file.writev(rest, at)
      at += bytesWritten
      rest = without(rest, bytesWritten)
    }
  }

  async function begin(segment: number): Promise<FileHandle> {
    await closeCurrent()
    const file = await open(segmentPath(folder, segment), constants.O_CREAT | constants.O_WRONLY, 0o600)
    current = { segment, file }
    await removeOldest(segment)
    return file
  }

  /** Keeps the log within its limit even when this segment is full. Readers see the gap by the offsets. */
  async function removeOldest(newest: number): Promise<void> {
    const older = (await listSegments(folder)).filter(segment => segment < newest)
    let room = maxBytes - segmentBytes
    for (const segment of older.reverse()) {
      const path = segmentPath(folder, segment)
      room -= (await stat(path).catch(ifMissing(null)))?.size ?? 0
      if (room < 0) await unlink(path).catch(ifMissing(null))
    }
  }

  // In another file: the last page of a segment has room even on a full disk, and readers must not see the attempt.
  async function checkSpace(): Promise<void> {
    const path = join(folder, 'room')
    try {
      await writeFile(path, Buffer.alloc(blockBytes), { mode: 0o600 })
    } finally {
      await unlink(path).catch(ifMissing(null))
    }
  }

  async function close(): Promise<void> {
    await current?.file.datasync()
    await closeCurrent()
  }

  async function closeCurrent(): Promise<void> {
    const open = current
    current = null
    await open?.file.close()
  }

  async function guarded<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      throw logError(error, folder)
    }
  }
}

function without(buffers: Buffer[], count: number): Buffer[] {
  let left = count
  const index = buffers.findIndex(buffer => {
    if (left < buffer.length) return true
    left -= buffer.length
    return false
  })
  return index < 0 ? [] : buffers.slice(index).with(0, (buffers[index] as Buffer).subarray(left))
}

function logError(error: unknown, folder: string): BeckonError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new BeckonError('disk_full', `The disk that holds the log ${folder} is full`, null, error)
    case 'EROFS':
      return new BeckonError('read_only', `The log ${folder} is on a read-only file system`, null, error)
    case 'EACCES':
    case 'EPERM':
      return new BeckonError('not_allowed', `The log ${folder} must belong to this user`, null, error)
    default:
      return new BeckonError('unreachable', `The log ${folder} cannot be written (${code})`, null, error)
  }
}
