import { hash } from 'node:crypto'
import { approvalLapsesAfter, BeckonError } from '../protocol/index.ts'
import type { RequestRecord, RunRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'

// An agent that was cut off asks again. A key says outright which ask it is; without one, the same content is the
// same ask as long as its answer was not taken. Inside a run, the asks of one content are counted: what this start of
// the run has taken is behind it, so a loop asks anew each time, and a run that starts over gets its answers in order.
// An approval is never joined, except by the very caller that says it takes up an earlier one.

// 132 bits: no two different asks are taken for the same.
const fingerprintLength = 22

/** The earlier request that this ask is, if any. */
export async function findEarlier(
  tx: Transaction,
  fresh: RequestRecord,
  run: RunRecord | null,
  takeUp: boolean,
): Promise<RequestRecord | null> {
  if (fresh.key !== null) return byKey(tx, fresh, fresh.key)
  if (fresh.kind === 'approval' && !takeUp) return null
  if (run && fresh.kind !== 'approval') return tx.nextOfContentInRun(fresh.content, run.start)
  // A yes that has lapsed is no answer to anything.
  const since = fresh.kind === 'approval' ? (await tx.now()) - approvalLapsesAfter : 0
  return tx.untakenOfContent(fresh.content, fresh.agent.name, since)
}

export function scopeOf(run: string | null, token: string | null, user: string, directory: string): string {
  if (run !== null) return `run:${run}`
  if (token !== null) return `token:${token}`
  return `user:${user}:${directory}`
}

/** Fingerprint of everything that the asker declared, within its scope. */
export function contentOf(
  scope: string,
  parts: Pick<RequestRecord, 'kind' | 'body' | 'context' | 'required' | 'timeout' | 'onTimeout'>,
): string {
  const { kind, body, context, required, timeout, onTimeout } = parts
  const declared = JSON.stringify([scope, kind, body, context, required, timeout, onTimeout])
  return hash('sha256', declared, 'base64url').slice(0, fingerprintLength)
}

async function byKey(tx: Transaction, fresh: RequestRecord, key: string): Promise<RequestRecord | null> {
  const earlier = await tx.requestByKey(fresh.scope, key)
  if (!earlier || earlier.content === fresh.content) return earlier
  throw new BeckonError(
    'key_conflict',
    `key: ${key} was used before for something else (${earlier.id}). Ask the same again, or use another key.`,
    { id: earlier.id },
  )
}
