import { StringDecoder } from 'node:string_decoder'
import { invalid } from '../protocol/index.ts'
import { runFolder } from '../supervisor/folder.ts'
import { type LogRecord, logSize, readLog } from '../supervisor/log-reader.ts'

export interface LogPage {
  pieces: { stream: 'out' | 'err' | 'note'; text: string; at: string }[]
  next: string
  /** Bytes that are gone before the first piece. */
  missing: number
  final: boolean
}

interface Options {
  after?: string
  limit?: number
  wait?: number
  signal: AbortSignal
  /** Nobody writes it any more, whether or not it was closed in good order. */
  ended: boolean
}

/** Behind so many bytes of output, and so many notes that stand there. */
interface Place {
  offset: number
  notes: number
}

const lastBytes = 64 * 1024
const mostBytes = 1024 * 1024
const longestWait = 60

/** One page of what a run printed. Where nothing is new yet, it waits for that a while. */
export async function readRunLog(home: string | null, run: string, options: Options): Promise<LogPage> {
  const { after, limit = lastBytes, wait = 0, signal, ended } = options
  if (home === null) return { pieces: [], next: '0', missing: 0, final: true }
  const folder = runFolder(home, run).log
  const from = await placeOf(folder, after)
  const bytes = Math.min(Math.max(1, limit), mostBytes)
  const page = await readPage(folder, from, bytes, null)
  if (page.pieces.length > 0 || page.final) return page
  if (ended) return { ...page, final: true }
  if (wait === 0) return page
  const patience = AbortSignal.timeout(Math.min(wait, longestWait) * 1_000)
  return readPage(folder, readCursor(page.next), bytes, AbortSignal.any([signal, patience]))
}

async function placeOf(folder: string, after: string | undefined): Promise<Place> {
  if (after !== 'end') return readCursor(after ?? '0')
  const { start, end } = await logSize(folder)
  return { offset: Math.max(start, end - lastBytes), notes: 0 }
}

/** As much as was wanted, or all there is; with patience, as soon as there is something. */
async function readPage(folder: string, from: Place, bytes: number, patience: AbortSignal | null): Promise<LogPage> {
  const pieces: LogPage['pieces'] = []
  const decoders = { out: new StringDecoder(), err: new StringDecoder() }
  let { offset, notes } = from
  let missing = 0
  let known = from.notes
  let taken = 0
  // The beginning of a character at the end of it all is left for the next page.
  let rest = 0
  const follow = patience ? { follow: true, signal: patience } : {}
  for await (const record of readLog(folder, { from: { offset }, streams: ['out', 'err', 'note'], ...follow })) {
    const { stream } = record
    rest = 0
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
    } else if (stream !== 'in') {
      offset = record.offset + record.bytes.length
      notes = 0
      tell(record, stream, decoders[stream].write(record.bytes))
      rest = beginningIn(record.bytes)
    }
    taken += record.bytes.length
    if (taken >= bytes || (patience && pieces.length > 0)) break
  }
  const { closed, end } = await logSize(folder)
  const final = closed && offset >= end && taken < bytes
  return { pieces, next: `${offset - rest}.${notes}`, missing, final }

  function tell({ time }: LogRecord, stream: 'out' | 'err' | 'note', text: string) {
    if (text !== '') pieces.push({ stream, text, at: new Date(time).toISOString() })
  }
}

function readCursor(cursor: string): Place {
  const [, offset, notes = '0'] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(cursor) ?? []
  if (offset === undefined) throw invalid([{ path: 'after', message: 'is no cursor; send `next` of the page before' }])
  return { offset: Number(offset), notes: Number(notes) }
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
