import type * as z from 'zod'
import {
  appendLogSchema,
  invalid,
  type LogPage,
  type LogsApi,
  logLimits,
  type ReadLogOptions,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { LogEndRecord, LogPieceRecord, LogRecordHead, RunRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { createLogPage, formatCursor, type LogPart, type LogPosition, lastBytes, parseCursor } from './log-page.ts'
import { needRun } from './runs.ts'

// The logs of runs on other machines. A run writes its log where it runs and sends it here piece by piece, each with the
// position where the log must end here. So a piece that is sent twice is added once, and none is left out. Only the newest
// pieces are kept here; the whole log stays where it was written.

const keptBytes = 16 * 1_048_576
const piecesPerPage = 16
// An append on another node wakes nobody here.
const pollInterval = 500
const maxWait = 60
// A writer that was killed never closes its log.
const graceForWriter = 30_000
// What a piece costs besides its content: many small ones must not outgrow the cap.
const overheadPerPiece = 200
const emptyLog: LogEndRecord = { number: 0, offset: 0, notes: 0, total: 0, closed: false }

type Append = z.output<typeof appendLogSchema>

export function createRunLogs(store: Store): LogsApi {
  const listeners = new Map<string, Set<() => void>>()
  return { append, read }

  async function append(run: string, input: Parameters<LogsApi['append']>[1]) {
    const parsed = parse(appendLogSchema, input)
    const after = formatCursor(parseCursor(parsed.after))
    const end = await store.change(async tx => {
      const { id } = await needRun(tx, run)
      const end = await tx.logEnd(id)
      const isNew = end === null || parsed.records.length > 0 || parsed.closed !== end.closed
      if (!isNew || formatCursor(end ?? emptyLog) !== after) return end ?? emptyLog
      const piece = pieceOf(id, end ?? emptyLog, parsed, await tx.now())
      await tx.insertLogPiece(piece)
      await tx.trimLog(id, piece, keptBytes)
      return piece
    }, `log of ${run}`)
    for (const notify of listeners.get(run) ?? []) notify()
    return { next: formatCursor(end), closed: end.closed, wanted: true }
  }

  async function read(run: string, { after, limit = lastBytes, wait = 0, signal }: ReadLogOptions = {}) {
    const giveUpAt = performance.now() + Math.min(wait, maxWait) * 1_000
    let from = after === 'end' ? await positionNearEnd(run) : parseCursor(after ?? '0')
    for (;;) {
      // Listens before it reads, so that nothing is added unnoticed in between.
      const listener = listenTo(run)
      try {
        const page = await readPage(run, from, limit)
        const left = giveUpAt - performance.now()
        if (page.pieces.length > 0 || page.missing > 0 || page.final || left <= 0 || signal?.aborted) return page
        from = parseCursor(page.next)
        await appendOrTimeout(listener.appended, Math.min(left, pollInterval), signal)
      } finally {
        listener.stop()
      }
    }
  }

  async function readPage(run: string, from: LogPosition, limit: number): Promise<LogPage> {
    return store.read(async view => {
      const record = await needRun(view, run)
      const end = await view.logEnd(run)
      const isOver = hasEndedFor(record, graceForWriter, await view.now())
      if (end === null) {
        return { pieces: [], next: formatCursor(from), missing: 0, final: isOver, elsewhere: record.host }
      }
      const found = await view.logPieces(run, from, piecesPerPage)
      const { page, end: pageEnd, isComplete } = await createLogPage(partsOf(found, from), { from, limit })
      const isAll = isComplete && pageEnd.offset >= end.offset && found.length < piecesPerPage
      return { ...page, final: isAll && (end.closed || isOver), elsewhere: null }
    })
  }

  function positionNearEnd(run: string): Promise<LogPosition> {
    return store.read(async view => {
      const { offset } = (await view.logEnd(run)) ?? emptyLog
      return { offset: Math.max(await view.logStart(run), offset - lastBytes), notes: 0 }
    })
  }

  function listenTo(run: string) {
    const { promise: appended, resolve } = Promise.withResolvers<void>()
    const others = listeners.get(run) ?? new Set()
    listeners.set(run, others.add(resolve))
    return {
      appended,
      stop() {
        others.delete(resolve)
        if (others.size === 0) listeners.delete(run)
      },
    }
  }
}

function appendOrTimeout(appended: Promise<void>, timeout: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, timeout)
    signal?.addEventListener('abort', done, { once: true })
    appended.then(done)
  })
}

function hasEndedFor({ endedAt }: RunRecord, time: number, now: number): boolean {
  return endedAt !== null && now - endedAt > time
}

function pieceOf(run: string, end: LogEndRecord, { records, closed }: Append, now: number): LogPieceRecord {
  const heads: LogRecordHead[] = []
  const parts: Buffer[] = []
  let { offset, notes } = end
  for (const record of records) {
    // The clock of another machine may be wrong; nothing was printed in the future.
    const at = Math.min(record.at === undefined ? now : Date.parse(record.at), now)
    if (record.stream === 'gap') {
      heads.push({ stream: 'gap', at, offset, length: record.missing })
      offset += record.missing
      notes = 0
      continue
    }
    const bytes = 'text' in record ? Buffer.from(record.text) : Buffer.from(record.base64, 'base64')
    heads.push({ stream: record.stream, at, offset, length: bytes.length })
    parts.push(bytes)
    notes = record.stream === 'note' ? notes + 1 : bytes.length > 0 ? 0 : notes
    if (record.stream !== 'note') offset += bytes.length
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length > logLimits.bytes) {
    throw invalid([{ path: 'records', message: `have ${bytes.length} bytes, at most ${logLimits.bytes}` }])
  }
  if (offset >= 1e15) throw invalid([{ path: 'records', message: 'exceed the maximum size of a log' }])
  const total = end.total + bytes.length + overheadPerPiece
  return { run, number: end.number + 1, start: end.offset, offset, notes, total, closed, records: heads, bytes }
}

/** The records after a position. What was trimmed before them is a gap. */
function* partsOf(found: readonly LogPieceRecord[], from: LogPosition): Generator<LogPart> {
  let { offset } = from
  for (const { start, records, bytes } of found) {
    if (start > offset) yield gap(offset, start - offset, records[0]?.at ?? 0)
    offset = Math.max(offset, start)
    let position = 0
    for (const { stream, at: time, offset: begin, length } of records) {
      const passed = offset - begin
      if (stream === 'gap') {
        if (passed < length) yield gap(offset, length - passed, time)
        offset = Math.max(offset, begin + length)
        continue
      }
      const content = bytes.subarray(position, position + length)
      position += length
      if (stream === 'note' ? passed > 0 : passed >= length) continue
      yield {
        stream,
        time,
        offset: stream === 'note' ? begin : offset,
        bytes: sliceOf(content, stream, passed),
        missing: 0,
      }
      if (stream !== 'note') offset = begin + length
    }
  }
}

function sliceOf(content: Buffer, stream: 'out' | 'err' | 'note', passed: number): Buffer {
  return stream === 'note' ? content : content.subarray(passed)
}

function gap(offset: number, missing: number, time: number): LogPart {
  return { stream: 'gap', time, offset, bytes: Buffer.alloc(0), missing }
}
