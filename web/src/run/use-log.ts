import { useEffect, useState } from 'react'
import { readLog } from '../api/runs.ts'
import { troubleIn } from '../words/trouble.ts'
import { type LogLine, LogLines } from './ansi.ts'

export interface Log {
  readonly lines: readonly LogLine[]
  /** Grows with every change: the lines are one list that goes on. */
  readonly version: number
  /** Lines that were read and are too many to be kept here. */
  readonly dropped: number
  /** Characters that were read so far. */
  readonly read: number
  /** Bytes that are not there any more. */
  readonly missing: number
  /** All that there was at some time is here. */
  readonly caughtUp: boolean
  /** The machine that has it, where the server has none of it. */
  readonly elsewhere: string | null
  /** Nothing more will come. */
  readonly ended: boolean
  readonly trouble: string | null
}

const nothing: Log = {
  lines: [],
  dropped: 0,
  version: 0,
  read: 0,
  missing: 0,
  caughtUp: false,
  elsewhere: null,
  ended: false,
  trouble: null,
}
const wait = 25
const tryAgain = 3_000
const tailBytes = 64 * 1024
const mostBytes = 1024 * 1024

/** The log of a run, as it grows: its end, or all of it. */
export function useLog(run: string, fromStart: boolean): Log {
  const [log, setLog] = useState<Log>(nothing)
  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    setLog(nothing)
    void follow()
    return () => stopped.abort()

    async function follow() {
      const lines = new LogLines()
      let after: string | null = fromStart ? null : 'end'
      let caughtUp = false
      while (!signal.aborted) {
        try {
          const limit = fromStart ? mostBytes : tailBytes
          const page = await readLog(run, after, { wait: caughtUp ? wait : 0, limit, signal })
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
            trouble: null,
          }))
          if (page.final) return
        } catch (error) {
          if (signal.aborted) return
          setLog(before => ({ ...before, trouble: troubleIn(error) }))
          await new Promise(resolve => setTimeout(resolve, tryAgain))
        }
      }
    }
  }, [run, fromStart])
  return log
}
