import { StringDecoder } from 'node:string_decoder'
import { runFolder } from '../supervisor/folder.ts'
import { logSize, readLog } from '../supervisor/log-reader.ts'

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
}

const lastBytes = 64 * 1024
const mostBytes = 1024 * 1024
const longestWait = 60
const none: LogPage = { pieces: [], next: '0', missing: 0, final: false }

/** One page of what a run printed. Where nothing is new yet, it waits for that a while. */
export async function readRunLog(home: string | null, run: string, { after, limit, wait = 0, signal }: Options) {
  if (home === null) return { ...none, final: true }
  const folder = runFolder(home, run).log
  const size = await logSize(folder)
  const from = after === 'end' ? { offset: Math.max(size.start, size.end - lastBytes), notes: 0 } : readCursor(after)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(Math.min(wait, longestWait) * 1_000)])
  const page = await readPage(folder, from, Math.min(limit ?? lastBytes, mostBytes), null)
  if (page.pieces.length > 0 || page.final || wait === 0) return page
  return readPage(folder, readCursor(page.next), Math.min(limit ?? lastBytes, mostBytes), patience)
}

/** Notes take no room in the output: so many at this offset were read already. */
interface Cursor {
  offset: number
  notes: number
}

function readCursor(source = '0'): Cursor {
  const [offset, notes] = source.split('.').map(Number)
  return { offset: offset || 0, notes: notes || 0 }
}

/** Ends at a page's worth, or where the log is at its end; with a signal, only once there is something. */
async function readPage(folder: string, from: Cursor, bytes: number, patience: AbortSignal | null): Promise<LogPage> {
  const page: LogPage = { ...none, pieces: [] }
  const at: Cursor = { offset: from.offset, notes: 0 }
  const decoders = new Map<string, StringDecoder>()
  let taken = 0
  let isCut = false
  const options = patience ? { follow: true, signal: patience } : {}
  for await (const record of readLog(folder, { from: { offset: from.offset }, ...options })) {
    if (record.stream === 'gap') {
      page.missing += record.missing
      Object.assign(at, { offset: record.offset + record.missing, notes: 0 })
      continue
    }
    const isOutput = record.stream === 'out' || record.stream === 'err'
    if (isOutput) Object.assign(at, { offset: record.offset + record.bytes.length, notes: 0 })
    else if (at.notes++ < from.notes && at.offset === from.offset) continue
    if (record.stream === 'in') continue
    const decoder = decoders.get(record.stream) ?? new StringDecoder()
    decoders.set(record.stream, decoder)
    const text = record.stream === 'note' ? record.bytes.toString() : decoder.write(record.bytes)
    page.pieces.push({ stream: record.stream, text, at: new Date(record.time).toISOString() })
    taken += record.bytes.length
    isCut = taken >= bytes || patience !== null
    if (isCut) break
  }
  const size = await logSize(folder)
  page.next = at.notes === 0 ? String(at.offset) : `${at.offset}.${at.notes}`
  page.final = size.closed && !isCut && at.offset >= size.end
  return page
}
