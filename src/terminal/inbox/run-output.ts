import { stripVTControlCharacters } from 'node:util'
import type { LogPage, ReadLogOptions } from '../../protocol/run-log.ts'
import { harmless } from '../../text/harmless.ts'

export type ReadLog = (run: string, options: ReadLogOptions) => Promise<LogPage>

export interface RunOutput {
  /** Follows the log of this run instead of any other; null follows none. */
  follow(run: string | null): void
  /** The end of the log that is followed, one harmless text per line; null while it is not known. */
  lines(): readonly string[] | null
  stop(): void
}

const keptLines = 100
const longestLine = 500
// Somebody who moves through the list does not read every log on the way.
const delay = 120
const wait = 20
const retryAfter = 2_000

/** What the run of the selected request printed last, as it grows. */
export function runOutput(readLog: ReadLog, onChange: () => void): RunOutput {
  let followed: string | null = null
  let known: readonly string[] | null = null
  let reading = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return { follow, lines: () => known, stop: () => follow(null) }

  function follow(run: string | null) {
    if (run === followed) return
    followed = run
    known = null
    clearTimeout(timer)
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    if (run !== null) timer = setTimeout(() => void read(run, signal), delay)
  }

  async function read(run: string, signal: AbortSignal) {
    let text = ''
    let after = 'end'
    while (!signal.aborted) {
      const page = await readLog(run, { after, wait: after === 'end' ? 0 : wait, signal }).catch(() => null)
      if (signal.aborted) return
      if (page) {
        text = endOf(`${text}${page.pieces.map(piece => piece.text).join('')}`)
        known = page.elsewhere === null ? linesOf(text) : [`The log is on ${harmless(page.elsewhere)}.`]
        after = page.next
        onChange()
        if (page.final || page.elsewhere !== null) return
      }
      // A page without news came at once where the hub cannot wait.
      if (!page || page.pieces.length === 0) await pause(signal)
    }
  }

  function pause(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      timer = setTimeout(resolve, retryAfter).unref()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

function endOf(text: string): string {
  return text
    .split('\n')
    .slice(-keptLines)
    .join('\n')
    .slice(-keptLines * longestLine)
}

/** A log is not a screen: colours and cursor moves are dropped, and of a progress bar its last state stays. */
function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map(one => (one.split('\r').findLast(part => part !== '') ?? '').replaceAll('\t', '  '))
    .filter(one => one.trim() !== '')
    .map(one => harmless(one.slice(0, longestLine)))
}
