import type { DeskNotes } from './block-requests.ts'
import type { HolderLink } from './holder/connect.ts'
import type { Output } from './holder/frames.ts'
import type { LogWriter } from './log/writer.ts'
import type { Watcher } from './watch.ts'

interface Parts {
  link: Pick<HolderLink, 'taken'>
  log: LogWriter
  desk: { notes(): DeskNotes }
  watcher: Watcher
  /** Where the supervisor before us stood; null at the start of an agent. */
  from: LogNotes | null
}

/** How far the log is; plain data. */
export interface LogNotes {
  /** Output before this offset is in it. */
  logged: number
  /** How long it was then, by its own count, in which secrets have another length. */
  position: number
}

interface Reached {
  offset: number
  notes: Record<string, unknown>
  /** Only when it is another than the holder has. */
  desk: { notes: DeskNotes; said: string } | null
}

// A trickle of output is acknowledged so often, a flood after so many bytes.
const pace = 20
const enough = 256 * 1_024

/**
 * Says to the holder how far we are, with all that another supervisor needs to go on from there. Only what is in the log
 * counts; and what is said belongs together: an offset, what was found before it, and what was asked.
 */
export function createProgress({ link, log, desk, watcher, from }: Parts) {
  // What was recorded after the last word to the holder is known exactly, unless there were secrets in it.
  let recorded = from ? from.logged + Math.max(0, log.position() - from.position) : 0
  let acknowledged = recorded
  let reached: Reached | null = null
  let saidLast = ''
  let timer: NodeJS.Timeout | null = null
  let telling: Promise<void> | null = null
  let closing: Promise<void> | null = null
  if (!from) link.taken(0, { log: logNotes() })
  return { record, advance, close }

  function logNotes(): LogNotes {
    return { logged: recorded, position: log.position() }
  }

  /** Into the log, but for what the supervisor before us has put there. */
  async function record({ stream, offset, bytes }: Output): Promise<void> {
    const known = Math.max(0, recorded - offset)
    if (known >= bytes.length) return
    recorded = offset + bytes.length
    if (!log.write(stream, bytes.subarray(known))) await log.drained()
  }

  /** Called when everything that was found so far has been dealt with. */
  function advance({ atOnce }: { atOnce: boolean }): void {
    const { offset, watched } = watcher.safe()
    const notes = desk.notes()
    const said = JSON.stringify(notes)
    reached = { offset, notes: { watched, log: logNotes() }, desk: said === saidLast ? null : { notes, said } }
    if (atOnce || recorded - acknowledged >= enough) stir()
    else timer ??= setTimeout(stir, pace)
  }

  function stir(): void {
    if (timer) clearTimeout(timer)
    timer = null
    telling ??= tell().finally(() => {
      telling = null
      if (reached) stir()
    })
  }

  async function tell(): Promise<void> {
    const upTo = recorded
    const now = reached
    reached = null
    await log.flush()
    acknowledged = upTo
    if (!now) return
    link.taken(now.offset, { ...now.notes, ...(now.desk ? { desk: now.desk.notes } : {}) })
    saidLast = now.desk?.said ?? saidLast
  }

  function close({ final = false } = {}): Promise<void> {
    closing ??= finish(final)
    return closing
  }

  async function finish(final: boolean): Promise<void> {
    if (reached) stir()
    while (telling) await telling
    if (timer) clearTimeout(timer)
    await log.close({ final })
  }
}
