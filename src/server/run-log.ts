import { existsSync } from 'node:fs'
import { createLogPage, type LogPosition, lastBytes, parseCursor } from '../hub/log-page.ts'
import type { LogPage, ReadLogOptions } from '../protocol/index.ts'
import { runFolder } from '../supervisor/folder.ts'
import { logSize, readLog } from '../supervisor/log/reader.ts'

interface Options extends ReadLogOptions {
  /** Nobody writes it any more, whether or not it was closed in good order. */
  ended: boolean
}

const longestWait = 60

/** Whether the log of a run lies here, because it is supervised from this home. */
export function isLogHere(home: string | null, run: string): home is string {
  return home !== null && existsSync(runFolder(home, run).log)
}

/** One page of what a run printed. Where nothing is new yet, it waits for that a while. */
export async function readRunLog(home: string, run: string, options: Options): Promise<LogPage> {
  const { after, limit = lastBytes, wait = 0, signal, ended } = options
  const folder = runFolder(home, run).log
  const from = await placeOf(folder, after)
  const page = await readPage(folder, from, limit, null)
  if (page.pieces.length > 0 || page.final) return page
  if (ended) return { ...page, final: true }
  if (wait === 0) return page
  const patience = AbortSignal.timeout(Math.min(wait, longestWait) * 1_000)
  return readPage(folder, parseCursor(page.next), limit, signal ? AbortSignal.any([signal, patience]) : patience)
}

async function placeOf(folder: string, after: string | undefined): Promise<LogPosition> {
  if (after !== 'end') return parseCursor(after ?? '0')
  const { start, end } = await logSize(folder)
  return { offset: Math.max(start, end - lastBytes), notes: 0 }
}

/** As much as was wanted, or all there is; with patience, as soon as there is something. */
async function readPage(
  folder: string,
  from: LogPosition,
  limit: number,
  patience: AbortSignal | null,
): Promise<LogPage> {
  const follow = patience ? { follow: true, signal: patience } : {}
  const records = readLog(folder, { from: { offset: from.offset }, streams: ['out', 'err', 'note'], ...follow })
  const { page, end: pageEnd, isComplete } = await createLogPage(records, { from, limit, onlyFirst: patience !== null })
  const { closed, end } = await logSize(folder)
  return { ...page, final: closed && pageEnd.offset >= end && isComplete, elsewhere: null }
}
