import { StringDecoder } from 'node:string_decoder'
import { invalid, type LogPage } from '../protocol/index.ts'

/** Behind so many bytes of output, and so many notes that stand there. */
export interface LogPlace {
  offset: number
  notes: number
}

/** A record of a log, wherever that lies. */
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
const mostBytes = 1_024 * 1_024

/** The beginning of a character, and where it stands. */
interface Held {
  stream: string
  bytes: Buffer
  place: LogPlace
}

export interface PageWish {
  from: LogPlace
  limit: number
  /** The first thing is enough: somebody waits for it. */
  hurry?: boolean
}

/** Text for a person out of the records behind a place. Also whether it holds all that there was. */
export async function pageOf(
  records: AsyncIterable<LogPart> | Iterable<LogPart>,
  { from, limit, hurry = false }: PageWish,
): Promise<{ page: Omit<LogPage, 'final' | 'elsewhere'>; place: LogPlace; whole: boolean }> {
  const pieces: LogPage['pieces'] = []
  const decoders = { out: new StringDecoder(), err: new StringDecoder() }
  const enough = Math.min(Math.max(1, limit), mostBytes)
  let { offset, notes } = from
  let missing = 0
  let known = from.notes
  let taken = 0
  // The beginning of a character at the end of it all is left for the next page.
  let held: Held | null = null
  for await (const record of records) {
    const { stream } = record
    if (stream === 'in') continue
    if (held?.stream !== stream) held = null
    if (stream === 'gap') {
      missing += record.missing
      offset = record.offset + record.missing
      notes = 0
    } else if (stream === 'note') {
      // Those that stand where the page before ended were told with it.
      if (record.offset === from.offset && known > 0) {
        known -= 1
        continue
      }
      notes = record.offset === offset ? notes + 1 : 1
      offset = record.offset
      tell(record, stream, record.bytes.toString())
    } else {
      held = heldAfter(record, held, { offset: record.offset, notes: record.offset === offset ? notes : 0 })
      offset = record.offset + record.bytes.length
      notes = 0
      tell(record, stream, decoders[stream].write(record.bytes))
    }
    taken += record.bytes.length
    if (taken >= enough || (hurry && pieces.length > 0)) break
  }
  const place = { offset, notes }
  return { page: { pieces, next: cursorOf(held?.place ?? place), missing }, place, whole: taken < enough }

  function tell({ time }: LogPart, stream: 'out' | 'err' | 'note', text: string) {
    if (text !== '') pieces.push({ stream, text, at: new Date(time).toISOString() })
  }
}

export function cursorOf({ offset, notes }: LogPlace): string {
  return `${offset}.${notes}`
}

export function readCursor(cursor: string): LogPlace {
  const [, offset, notes = '0'] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(cursor) ?? []
  if (offset === undefined) throw invalid([{ path: 'after', message: 'is no cursor; send `next` of the page before' }])
  return { offset: Number(offset), notes: Number(notes) }
}

/** What is printed of a character may be spread over records; it begins where the first of them does, or in this one. */
function heldAfter({ stream, offset, bytes }: LogPart, before: Held | null, start: LogPlace): Held | null {
  const tail = before ? Buffer.concat([before.bytes, bytes]) : bytes
  const count = beginningIn(tail)
  if (count === 0) return null
  const place = { offset: offset + bytes.length - count, notes: 0 }
  return {
    stream,
    bytes: tail.subarray(tail.length - count),
    place: count < tail.length ? place : (before?.place ?? start),
  }
}

/** How many bytes at the end are the beginning of a character. */
function beginningIn(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}
