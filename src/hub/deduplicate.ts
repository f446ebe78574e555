import { approvalLapsesAfter, BeckonError } from '../protocol/index.ts'
import type { RequestRecord, RunRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import { fingerprint } from './fingerprint.ts'

// An agent that was cut off asks again. A key names the ask outright. Without a key, the same content is the same ask as long
// as its answer was not taken. Inside a run, the asks of one content are counted, and those that this start of the run has
// taken are done: a loop asks anew each time, and a run that starts over gets its answers in order. An approval is
// never joined, except by a caller that says that it takes up its earlier ask.

// 132 bits: two different asks never get the same fingerprint.
const fingerprintLength = 22

/** The earlier request that is the same ask, if there is one. */
export async function findEarlier(
  tx: Transaction,
  fresh: RequestRecord,
  run: RunRecord | null,
  takeUp: boolean,
): Promise<RequestRecord | null> {
  if (fresh.key !== null) return findByKey(tx, fresh, fresh.key)
  if (fresh.kind === 'approval' && !takeUp) return null
  if (run && fresh.kind !== 'approval') return tx.nextOfContentInRun(fresh.content, run.start)
  // A yes that has lapsed is not taken up.
  const since = fresh.kind === 'approval' ? (await tx.now()) - approvalLapsesAfter : 0
  return tx.untakenOfContent(fresh.content, fresh.agent.name, since)
}

/** The key space of an ask. */
export function scopeOf(run: string | null, token: string | null, user: string, directory: string): string {
  if (run !== null) return `run:${run}`
  if (token !== null) return `token:${token}`
  return `user:${user}:${directory}`
}

type Declared = Pick<RequestRecord, 'kind' | 'body' | 'context' | 'required' | 'timeout' | 'onTimeout'> & {
  /** The hashes of the files that come with it. */
  files: readonly string[]
}

/** The fingerprint of everything that the asker declared, within its scope. */
export function contentOf(scope: string, parts: Declared): string {
  const { kind, body, context, required, timeout, onTimeout, files } = parts
  const hashes = files.length > 0 ? [files] : []
  const declared = JSON.stringify([scope, kind, body, context, required, timeout, onTimeout, ...hashes])
  return fingerprint(declared).slice(0, fingerprintLength)
}

async function findByKey(tx: Transaction, fresh: RequestRecord, key: string): Promise<RequestRecord | null> {
  const earlier = await tx.requestByKey(fresh.scope, key)
  if (!earlier || earlier.content === fresh.content) return earlier
  throw new BeckonError(
    'key_conflict',
    `The key ${key} was used before for something else (${earlier.id}). Ask the same again, or use another key.`,
    { id: earlier.id },
  )
}
