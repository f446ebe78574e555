import { useEffect, useState } from 'react'
import { readLog } from '../api/runs.ts'
import { pause } from '../browser/pause.ts'
import { errorText } from '../words/error-text.ts'
import { type LogLine, LogLines } from './log-lines.ts'

export interface Log {
  readonly lines: readonly LogLine[]
  /** Increases with every change, because `lines` is one growing array. */
  readonly version: number
  /** How many lines were dropped because the page cannot hold them all. */
  readonly dropped: number
  /** How many characters were read so far. */
  readonly read: number
  /** How many bytes the server no longer has. */
  readonly missing: number
  /** The page has read everything that was there at some point. */
  readonly caughtUp: boolean
  /** The machine that has the log, if the server has none of it. */
  readonly elsewhere: string | null
  /** The run has ended and the log is complete. */
  readonly ended: boolean
  readonly failure: string | null
}

const empty: Log = {
  lines: [],
  dropped: 0,
  version: 0,
  read: 0,
  missing: 0,
  caughtUp: false,
  elsewhere: null,
  ended: false,
  failure: null,
}
const longPollSeconds = 25
const retryAfter = 3_000
const tailBytes = 64 * 1024
const maxBytes = 1024 * 1024

/** The log of a run as it grows: the end of it, or all of it. */
export function useLog(run: string, fromStart: boolean): Log {
  const [log, setLog] = useState<Log>(empty)
  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    setLog(empty)
    void follow()
    return () => stopped.abort()

    async function follow() {
      const lines = new LogLines()
      let after: string | null = fromStart ? null : 'end'
      let caughtUp = false
      while (!signal.aborted) {
        try {
          const limit = fromStart ? maxBytes : tailBytes
          const page = await readLog(run, after, { wait: caughtUp ? longPollSeconds : 0, limit, signal })
          if (signal.aborted) return
          after = page.next
          caughtUp ||= page.final || page.pieces.length === 0
          for (const { stream, text } of page.pieces)
            lines.push(stream, stream === 'note' ? `${text.trimEnd()}\n` : text)
          const read = page.pieces.reduce((sum, { text }) => sum + text.length, 0)
          setLog(before => ({
            lines: lines.lines(),
            dropped: lines.dropped,
            version: before.version + 1,
            read: before.read + read,
            missing: before.missing + page.missing,
            caughtUp,
            elsewhere: page.elsewhere,
            ended: page.final,
            failure: null,
          }))
          if (page.final) return
        } catch (error) {
          if (signal.aborted) return
          setLog(before => ({ ...before, failure: errorText(error) }))
          await pause(retryAfter)
        }
      }
    }
  }, [run, fromStart])
  return log
}
