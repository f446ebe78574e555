import { BeckonError, type Request } from '../protocol/index.ts'
import { requestLock } from '../store/locks.ts'
import type { Store } from '../store/store.ts'
import { fireDeadline } from './fire-deadline.ts'
import { toRequest } from './to-protocol.ts'

export interface Sweeper {
  /** Fires every deadline that has passed, or as many as it can in the given milliseconds; returns how many. */
  sweep(most?: number): Promise<number>
  /** A deadline was set or moved: sweeps, and sets the timer for the next one. */
  reschedule(): void
  close(): Promise<void>
}

// It never sleeps longer: another process may have set a deadline, or the clock may have been changed.
const maxSleep = 5_000
const batchSize = 100

/** Fires deadlines. Every open hub has a sweeper; each firing is guarded in the database, so it happens once. */
export function createSweeper(store: Store, onSettled: (request: Request) => void = () => {}): Sweeper {
  let timer: NodeJS.Timeout | null = null
  let working: Promise<void> | null = null
  let requested = false
  let closed = false

  return { sweep, reschedule, close }

  async function sweep(most = Infinity): Promise<number> {
    // A monotonic clock that needs no import.
    const giveUpAt = process.uptime() + most / 1_000
    let fired = 0
    for (;;) {
      const due = await store.read(async view => view.due(await view.now(), batchSize))
      const results = await Promise.all(
        due.map(record => store.change(tx => fireDeadline(tx, record), requestLock(record.id))),
      )
      const firedNow = results.filter(({ fired }) => fired).length
      for (const { settled } of results) if (settled) onSettled(toRequest(settled))
      fired += firedNow
      if (due.length < batchSize || firedNow === 0) return fired
      if (closed || process.uptime() > giveUpAt) return fired
    }
  }

  function reschedule() {
    if (closed) return
    // A deadline that is set while the sweeper looks for the next one must not be forgotten.
    requested = true
    working ??= workWhileRequested().finally(() => {
      working = null
    })
  }

  async function workWhileRequested() {
    while (requested && !closed) {
      requested = false
      await work()
    }
  }

  async function work() {
    if (timer) clearTimeout(timer)
    let delay = maxSleep
    try {
      await sweep()
      const [next, now] = await store.read(view => Promise.all([view.nextDue(), view.now()]))
      if (next !== null) delay = Math.max(0, Math.min(next - now, maxSleep))
    } catch (error) {
      // While the database is unavailable, the deadline stays due until some hub can fire it.
      if (store.lost.aborted || (error instanceof BeckonError && error.code === 'closed')) return
    }
    if (!closed) timer = setTimeout(reschedule, delay).unref()
  }

  async function close() {
    closed = true
    if (timer) clearTimeout(timer)
    await working
  }
}
