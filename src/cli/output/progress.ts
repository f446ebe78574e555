import type { Context } from '../context.ts'

export interface Progress {
  /** So much is done. The line is written now and then, and not before it has taken a while. */
  at(done: number): void
  /** Takes the line away. */
  clear(): void
}

// Who waits for less does not wonder.
const firstAfter = 500
const again = 200
// Whoever reads so slowly is a person with a pager, whose screen is not ours.
const slowReader = 250

/**
 * How far through something long, as one line on the terminal. Only where the output itself goes elsewhere: on the same
 * screen it would stand in between, and tell nothing that is not seen.
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
