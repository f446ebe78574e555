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
  const from = after === 'end' ? Math.max(size.start, size.end - lastBytes) : Number(after ?? 0) || 0
  const patience = AbortSignal.any([signal, AbortSignal.timeout(Math.min(wait, longestWait) * 1_000)])
  const page = await readPage(folder, from, Math.min(limit ?? lastBytes, mostBytes), null)
  if (page.pieces.length > 0 || page.final || wait === 0) return page
  return readPage(folder, Number(page.next), Math.min(limit ?? lastBytes, mostBytes), patience)
}

/** Ends at a page's worth, or where the log is at its end; with a signal, only once there is something. */
async function readPage(folder: string, from: number, bytes: number, patience: AbortSignal | null): Promise<LogPage> {
  const page: LogPage = { ...none, pieces: [], next: String(from) }
  const decoders = new Map<string, StringDecoder>()
  let taken = 0
  const options = patience ? { follow: true, signal: patience } : {}
  for await (const record of readLog(folder, { from: { offset: from }, ...options })) {
    if (record.stream === 'gap') {
      page.missing += record.missing
      page.next = String(record.offset + record.missing)
      continue
    }
    if (record.stream === 'in') continue
    const decoder = decoders.get(record.stream) ?? new StringDecoder()
    decoders.set(record.stream, decoder)
    const text = record.stream === 'note' ? record.bytes.toString() : decoder.write(record.bytes)
    page.pieces.push({ stream: record.stream, text, at: new Date(record.time).toISOString() })
    if (record.stream !== 'note') page.next = String(record.offset + record.bytes.length)
    taken += record.bytes.length
    if (taken >= bytes || patience) break
  }
  const size = await logSize(folder)
  page.final = size.closed && Number(page.next) >= size.end
  return page
}
