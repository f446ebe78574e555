import type { Context } from '../context.ts'

export interface Progress {
  /** Reports how much is done. The line appears after half a second, and is rewritten at most five times a second. */
  at(done: number): void
  /** Removes the line. */
  clear(): void
}

const firstAfter = 500
const again = 200
// Output that moves this slowly goes to a pager, whose screen we must not write on.
const slowReader = 250

/**
 * Progress of something long, as one line on the terminal. Only when the output itself goes elsewhere: on the same screen
 * the line would be mixed with it.
 */
export function createProgress({ stdout, stderr, now }: Context, total: number): Progress {
  let active = Boolean(stderr.isTTY) && !stdout.isTTY && total > 0
  const start = now()
  let last = start
  let shownAt: number | null = null
  return { at, clear }

  function at(done: number) {
    if (!active) return
    const time = now()
    if (time - last > slowReader) return stop()
    last = time
    if (time - start < firstAfter || (shownAt !== null && time - shownAt < again)) return
    shownAt = time
    const percent = Math.min(99, Math.floor((done / total) * 100))
    stderr.write(`\r${percent}% of ${sizeOf(total)}\x1b[K`)
  }

  function stop() {
    active = false
    clear()
  }

  function clear() {
    if (shownAt !== null) stderr.write('\r\x1b[K')
    shownAt = null
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
