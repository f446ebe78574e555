import { useEffect, useState } from 'react'
import { readLog } from '../api/runs.ts'
import { type LogLine, LogLines } from './ansi.ts'

export interface Log {
  readonly lines: readonly LogLine[]
  /** Bytes that are not there any more. */
  readonly missing: number
  /** Nothing more will come. */
  readonly ended: boolean
  readonly trouble: string | null
}

const nothing: Log = { lines: [], missing: 0, ended: false, trouble: null }
const wait = 25
const tryAgain = 3_000

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
      let missing = 0
      while (!signal.aborted) {
        try {
          const page = await readLog(run, after, wait, signal)
          if (signal.aborted) return
          missing += page.missing
          after = page.next
          for (const { stream, text } of page.pieces)
            lines.push(stream, stream === 'note' ? `${text.trimEnd()}\n` : text)
          setLog({ lines: [...lines.lines()], missing, ended: page.final, trouble: null })
          if (page.final) return
        } catch (error) {
          if (signal.aborted) return
          setLog(before => ({ ...before, trouble: (error as Error).message }))
          await new Promise(resolve => setTimeout(resolve, tryAgain))
        }
      }
    }
  }, [run, fromStart])
  return log
}
