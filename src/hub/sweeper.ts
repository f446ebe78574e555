import { BeckonError, type Question } from '../protocol/index.ts'
import { nextReminder } from '../rules/deadlines.ts'
import { defaultAnswers, outcome } from '../rules/outcomes.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { settle } from './settle.ts'

export interface Sweeper {
  /** Fires everything that is due by now; tells how many. */
  sweep(): Promise<number>
  /** A deadline was set or changed: look again when to wake. */
  poke(): void
  close(): Promise<void>
}

// No longer than this without a look: another process may have set a deadline, and a clock may have been moved.
const longestSleep = 5_000
const atOnce = 100

const policy = { by: 'asker', channel: 'policy' }

/** Fires deadlines. Every open hub has one; each firing is guarded in the database, so whoever is first does it. */
export function createSweeper(store: Store): Sweeper {
  let timer: NodeJS.Timeout | null = null
  let working: Promise<void> | null = null
  let poked = false
  let closed = false

  return { sweep, poke, close }

  async function sweep(): Promise<number> {
    let fired = 0
    for (;;) {
      const due = await store.read(async view => view.due(await view.now(), atOnce))
      const results = await Promise.all(due.map(record => store.change(tx => fire(tx, record))))
      const firedNow = results.filter(Boolean).length
      fired += firedNow
      if (due.length < atOnce || firedNow === 0) return fired
    }
  }

  function poke() {
    if (closed) return
    // A deadline that is set while we look for the next one must not be forgotten.
    poked = true
    working ??= workWhilePoked().finally(() => {
      working = null
    })
  }

  async function workWhilePoked() {
    while (poked && !closed) {
      poked = false
      await work()
    }
  }

  async function work() {
    if (timer) clearTimeout(timer)
    let delay = longestSleep
    try {
      await sweep()
      const [next, now] = await store.read(view => Promise.all([view.nextDue(), view.now()]))
      if (next !== null) delay = Math.max(0, Math.min(next - now, longestSleep))
    } catch (error) {
      // The database is away or closed; the deadline stays due until somebody can fire it.
      if (error instanceof BeckonError && error.code === 'closed') return
    }
    if (!closed) timer = setTimeout(poke, delay).unref()
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
    reason: expires ? 'The deadline of the asker passed without an answer' : null,
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
