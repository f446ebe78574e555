import { existsSync } from 'node:fs'
import { createLogPage, type LogPosition, lastBytes, parseCursor } from '../../hub/log-page.ts'
import type { LogPage, ReadLogOptions } from '../../protocol/run-log.ts'
import { runFolder } from '../folder.ts'
import { logSize, readLog } from './reader.ts'

interface Options extends ReadLogOptions {
  /** Nobody writes it any more, whether or not it was closed properly. */
  ended: boolean
}

const longestWait = 60

/** The logs of the runs that are supervised from this home, in pages; for the server. */
export function createLocalRunLogs(home: string) {
  return {
    has: (run: string) => existsSync(runFolder(home, run).log),
    read: (run: string, options: Options) => readPageOrWait(runFolder(home, run).log, options),
  }
}

/** One page of what a run printed. Where nothing is new yet, it waits for that a while. */
async function readPageOrWait(folder: string, options: Options): Promise<LogPage> {
  const { after, limit = lastBytes, wait = 0, signal, ended } = options
  const from = await startingPoint(folder, after)
  const page = await readPage(folder, from, limit, null)
  if (page.pieces.length > 0 || page.final) return page
  if (ended) return { ...page, final: true }
  if (wait === 0) return page
  const timeUp = AbortSignal.timeout(Math.min(wait, longestWait) * 1_000)
  return readPage(folder, parseCursor(page.next), limit, signal ? AbortSignal.any([signal, timeUp]) : timeUp)
}

async function startingPoint(folder: string, after: string | undefined): Promise<LogPosition> {
  if (after !== 'end') return parseCursor(after ?? '0')
  const { start, end } = await logSize(folder)
  return { offset: Math.max(start, end - lastBytes), notes: 0 }
}

/** As much as was asked for, or all there is; with a signal, as soon as there is something, or at the signal. */
async function readPage(folder: string, from: LogPosition, limit: number, until: AbortSignal | null): Promise<LogPage> {
  // Before the records: what is written while they are read would otherwise count as read.
  const { closed, end } = await logSize(folder)
  const follow = until ? { follow: true, signal: until } : {}
  const records = readLog(folder, { from: { offset: from.offset }, streams: ['out', 'err', 'note'], ...follow })
  const { page, end: pageEnd, isComplete } = await createLogPage(records, { from, limit, onlyFirst: until !== null })
  return { ...page, final: closed && pageEnd.offset >= end && isComplete, elsewhere: null }
}
