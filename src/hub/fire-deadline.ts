import type { Question } from '../protocol/index.ts'
import { nextReminder } from '../rules/deadlines.ts'
import { defaultAnswers, outcome } from '../rules/outcomes.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import { settle } from './settle.ts'

const policy = { by: 'asker', channel: 'policy' }

interface Fired {
  fired: boolean
  settled: RequestRecord | null
}

/** Does what the asker wanted to happen at the deadline: expires, takes the default, or reminds. */
export async function fireDeadline(tx: Transaction, seen: RequestRecord): Promise<Fired> {
  const at = await tx.now()
  if (seen.onTimeout === 'remind') return { fired: await remind(tx, seen, at), settled: null }
  const expires = seen.onTimeout === 'fail'
  const answers = expires ? [] : defaultAnswers((seen.body.questions ?? []) as Question[])
  const decision = outcome(expires ? 'expired' : 'defaulted', policy, at, {
    answers,
    reason: expires ? "The asker's deadline passed without an answer" : null,
  })
  const { won, record } = await settle(tx, seen, decision, { onlyIfDue: true })
  return { fired: won, settled: won ? record : null }
}

/** The request after its deadline, and whether this call settled it. Only for one that is overdue. */
export async function settleByDeadline(tx: Transaction, seen: RequestRecord) {
  const { settled } = await fireDeadline(tx, seen)
  return { record: settled ?? (await tx.request(seen.id)) ?? seen, byDeadline: settled !== null }
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

/** Whether the asker's deadline decides about it, though nobody has fired that yet. */
export function isOverdue({ status, due, onTimeout }: RequestRecord, now: number): boolean {
  return status === 'pending' && onTimeout !== 'remind' && due !== null && due <= now
}
