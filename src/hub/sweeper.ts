import { BeckonError, type Question } from '../protocol/index.ts'
import { nextReminder } from '../rules/deadlines.ts'
import { defaultAnswers, outcome } from '../rules/outcomes.ts'
import { requestLock } from '../store/locks.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { settle } from './settle.ts'

export interface Sweeper {
  /** Fires every deadline that has passed; returns how many. */
  sweep(): Promise<number>
  /** A deadline was set or moved: sweeps, and sets the timer for the next one. */
  reschedule(): void
  close(): Promise<void>
}

// It never sleeps longer: another process may have set a deadline, or the clock may have been changed.
const maxSleep = 5_000
const batchSize = 100

const policy = { by: 'asker', channel: 'policy' }

/** Fires deadlines. Every open hub has a sweeper; each firing is guarded in the database, so it happens once. */
export function createSweeper(store: Store): Sweeper {
  let timer: NodeJS.Timeout | null = null
  let working: Promise<void> | null = null
  let requested = false
  let closed = false

  return { sweep, reschedule, close }

  async function sweep(): Promise<number> {
    let fired = 0
    for (;;) {
      const due = await store.read(async view => view.due(await view.now(), batchSize))
      const results = await Promise.all(due.map(record => store.change(tx => fire(tx, record), requestLock(record.id))))
      const firedNow = results.filter(Boolean).length
      fired += firedNow
      if (due.length < batchSize || firedNow === 0) return fired
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

async function fire(tx: Transaction, seen: RequestRecord): Promise<boolean> {
  const at = await tx.now()
  if (seen.onTimeout === 'remind') return remind(tx, seen, at)
  const expires = seen.onTimeout === 'fail'
  const answers = expires ? [] : defaultAnswers((seen.body.questions ?? []) as Question[])
  const decision = outcome(expires ? 'expired' : 'defaulted', policy, at, {
    answers,
    reason: expires ? "The asker's deadline passed without an answer" : null,
  })
  return (await settle(tx, seen, decision, { onlyIfDue: true })).won
}

async function remind(tx: Transaction, seen: RequestRecord, at: number): Promise<boolean> {
  const { due, timeout, deadline } = seen
  if (due === null || timeout === null || deadline === null) return false
  const next = nextReminder(deadline - timeout, timeout, at)
  if (!(await tx.remind(seen.id, due, next))) return false
  const data = { next: next === null ? null : new Date(next).toISOString() }
  tx.append({ type: 'request.reminded', request: seen.id, run: seen.run, data })
  return true
}
