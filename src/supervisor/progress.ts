import type { BlockRequests, RequestNotes } from './block-requests.ts'
import type { Watcher } from './block-watcher.ts'
import type { HolderLink } from './holder/connect.ts'
import type { Output } from './holder/frames.ts'
import type { LogWriter } from './log/writer.ts'

interface Parts {
  link: Pick<HolderLink, 'taken'>
  log: LogWriter
  requests: Pick<BlockRequests, 'notes'>
  watcher: Watcher
  /** How far the supervisor before us was; null at the start of an agent. */
  from: LogNotes | null
}

/** How much output is in the log; plain data. */
export interface LogNotes {
  /** Output before this offset is in the log. */
  logged: number
  /** The position of the log at that offset; it differs, because redacted secrets have another length. */
  position: number
}

interface Reached {
  offset: number
  notes: Record<string, unknown>
  /** Null when the holder has these notes already. */
  requests: { notes: RequestNotes; json: string } | null
}

// A trickle of output is acknowledged at this interval, a flood after this many bytes.
const acknowledgeEvery = 20
const acknowledgeBytes = 1_024 * 1_024

export type Progress = ReturnType<typeof createProgress>

/**
 * Tells the holder how much output is safe in the log, with everything that another supervisor needs to continue from
 * there. What is sent belongs together: an offset, what was found before it, and what was asked.
 */
export function createProgress({ link, log, requests, watcher, from }: Parts) {
  // Output logged after the last acknowledgement is counted exactly, unless secrets were redacted from it.
  let recorded = from ? from.logged + Math.max(0, log.position() - from.position) : 0
  let acknowledged = recorded
  let reached: Reached | null = null
  let sentRequests = ''
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let closing: Promise<void> | null = null
  if (!from) link.taken(0, { log: logNotes() })
  return { record, advance, close }

  function logNotes(): LogNotes {
    return { logged: recorded, position: log.position() }
  }

  /** Writes output to the log, except what the supervisor before us wrote. */
  async function record({ stream, offset, bytes }: Output): Promise<void> {
    const known = Math.max(0, recorded - offset)
    if (known >= bytes.length) return
    recorded = offset + bytes.length
    if (!log.write(stream, bytes.subarray(known))) await log.drained()
  }

  /** Called when everything found so far has been handled. */
  function advance({ atOnce }: { atOnce: boolean }): void {
    const { offset, watched } = watcher.safe()
    const notes = requests.notes()
    const json = JSON.stringify(notes)
    reached = { offset, notes: { watched, log: logNotes() }, requests: json === sentRequests ? null : { notes, json } }
    if (atOnce || recorded - acknowledged >= acknowledgeBytes) acknowledge()
    else timer ??= setTimeout(acknowledge, acknowledgeEvery)
  }

  function acknowledge(): void {
    if (timer) clearTimeout(timer)
    timer = null
    sending ??= send().finally(() => {
      sending = null
      if (reached) acknowledge()
    })
  }

  async function send(): Promise<void> {
    const upTo = recorded
    const now = reached
    reached = null
    await log.flush()
    acknowledged = upTo
    if (!now) return
    link.taken(now.offset, { ...now.notes, ...(now.requests ? { requests: now.requests.notes } : {}) })
    sentRequests = now.requests?.json ?? sentRequests
  }

  function close({ final = false } = {}): Promise<void> {
    closing ??= finish(final)
    return closing
  }

  async function finish(final: boolean): Promise<void> {
    if (reached) acknowledge()
    while (sending) await sending
    if (timer) clearTimeout(timer)
    await log.close({ final })
  }
}
