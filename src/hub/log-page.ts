import { StringDecoder } from 'node:string_decoder'
import { invalid, type LogPage } from '../protocol/index.ts'

/** A position in a log: after this many bytes of output, and this many of the notes that stand there. */
export interface LogPosition {
  offset: number
  notes: number
}

/** One record of a log, wherever the log is stored. */
export interface LogPart {
  stream: 'out' | 'err' | 'note' | 'in' | 'gap'
  /** When it was written, in milliseconds. */
  time: number
  offset: number
  bytes: Buffer
  /** How many bytes a gap has; otherwise 0. */
  missing: number
}

export const lastBytes = 64 * 1_024
const maxBytes = 1_024 * 1_024

/** The first bytes of a character whose rest has not come yet, and where they begin. */
interface PartialCharacter {
  stream: string
  bytes: Buffer
  position: LogPosition
}

export interface LogPageOptions {
  from: LogPosition
  limit: number
  /** Ends the page after the first piece, for a reader who waits for it. */
  onlyFirst?: boolean
}

/** Makes a page of text from the records after a position; also says whether it has read them to their end. */
export async function createLogPage(
  records: AsyncIterable<LogPart> | Iterable<LogPart>,
  { from, limit, onlyFirst = false }: LogPageOptions,
): Promise<{ page: Omit<LogPage, 'final' | 'elsewhere'>; end: LogPosition; isComplete: boolean }> {
  const pieces: LogPage['pieces'] = []
  const decoders = { out: new StringDecoder(), err: new StringDecoder() }
  const enough = Math.min(Math.max(1, limit), maxBytes)
  let { offset, notes } = from
  let missing = 0
  let notesToSkip = from.notes
  let taken = 0
  let isComplete = true
  // A partial character at the end of the page is left for the next page.
  let partial: PartialCharacter | null = null
  for await (const record of records) {
    const { stream } = record
    if (stream === 'in') continue
    if (partial?.stream !== stream) partial = null
    if (stream === 'gap') {
      missing += record.missing
      offset = record.offset + record.missing
      notes = 0
    } else if (stream === 'note') {
      // The previous page already has the notes where it ended.
      if (record.offset === from.offset && notesToSkip > 0) {
        notesToSkip -= 1
        continue
      }
      notes = record.offset === offset ? notes + 1 : 1
      offset = record.offset
      addPiece(record, stream, record.bytes.toString())
    } else {
      partial = partialAfter(record, partial, { offset: record.offset, notes: record.offset === offset ? notes : 0 })
      offset = record.offset + record.bytes.length
      notes = 0
      addPiece(record, stream, decoders[stream].write(record.bytes))
    }
    taken += record.bytes.length
    if (taken >= enough || (onlyFirst && pieces.length > 0)) {
      isComplete = false
      break
    }
  }
  const end = { offset, notes }
  return { page: { pieces, next: formatCursor(partial?.position ?? end), missing }, end, isComplete }

  function addPiece({ time }: LogPart, stream: 'out' | 'err' | 'note', text: string) {
    if (text !== '') pieces.push({ stream, text, at: new Date(time).toISOString() })
  }
}

export function formatCursor({ offset, notes }: LogPosition): string {
  return `${offset}.${notes}`
}

export function parseCursor(cursor: string): LogPosition {
  const [, offset, notes = '0'] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(cursor) ?? []
  if (offset === undefined) {
    throw invalid([{ path: 'after', message: 'is not a cursor; send `next` of the previous page' }])
  }
  return { offset: Number(offset), notes: Number(notes) }
}

/** A character may be spread over several records; it begins where the first of them does, or in this one. */
function partialAfter(
  { stream, offset, bytes }: LogPart,
  before: PartialCharacter | null,
  start: LogPosition,
): PartialCharacter | null {
  const tail = before ? Buffer.concat([before.bytes, bytes]) : bytes
  const count = incompleteBytes(tail)
  if (count === 0) return null
  const position = { offset: offset + bytes.length - count, notes: 0 }
  return {
    stream,
    bytes: tail.subarray(tail.length - count),
    position: count < tail.length ? position : (before?.position ?? start),
  }
}

/** How many bytes at the end begin a UTF-8 character without completing it. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}
