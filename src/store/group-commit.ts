import { setImmediate } from 'node:timers'
import { BeckonError } from '../protocol/index.ts'
import { ConnectionLost, type OpenTransaction, type SharedWork } from './connection.ts'
import type { EventRecord } from './records.ts'
import { AfterCommit, type Transaction } from './store.ts'
import type { WriteSession } from './write-session.ts'

interface Member {
  work: (tx: Transaction) => Promise<unknown>
  lock: string | undefined
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

interface Options {
  /** Opens a transaction that holds these locks. */
  begin: (locks: readonly string[]) => Promise<OpenTransaction>
  session: (transaction: OpenTransaction, shared: SharedWork, alreadyCommitted: boolean) => WriteSession
  /** Called after each commit that stored events. */
  onCommit: (events: readonly EventRecord[]) => void
}

const maxBatch = 256
// Only after a broken connection. Every change is guarded, so that running it twice stores it once.
const maxTries = 3

/**
 * Group commit: the changes that arrive while a transaction is under way share the next one, and so one flush to
 * disk. No caller gets a result before COMMIT. When a batch fails, its members are tried alone, so that each fails for
 * its own reason.
 */
export function createGroupCommit({ begin, session, onCommit }: Options) {
  const queue: Member[] = []
  let running: Promise<void> | null = null
  let closed = false

  return { change, close }

  function change<T>(work: (tx: Transaction) => Promise<T | AfterCommit<T>>, lock?: string): Promise<T> {
    if (closed) return Promise.reject(new BeckonError('closed', 'The hub was closed.'))
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, lock, resolve, reject })
      running ??= drain()
    })
  }

  async function close() {
    closed = true
    await running
  }

  async function drain() {
    while (queue.length > 0) {
      // Callers that wake in the same turn of the event loop join the same transaction.
      await new Promise<void>(resolve => setImmediate(resolve))
      const members = queue.splice(0, maxBatch)
      const failure = await commitTogether(members)
      if (failure?.begun === false) for (const member of members) member.reject(failure.error)
      else if (failure) for (const member of members) await commitAlone(member, failure.wasCommitted)
    }
    running = null
  }

  async function commitAlone(member: Member, committedBefore: boolean) {
    let alreadyCommitted = committedBefore
    for (let tries = 1; ; tries += 1) {
      const failure = await commitTogether([member], alreadyCommitted)
      if (!failure) return
      alreadyCommitted ||= failure.wasCommitted
      if (!(failure.error instanceof ConnectionLost) || tries === maxTries) return member.reject(failure.error)
    }
  }

  /**
   * Null when every member has its result. Otherwise no member has, and nothing was stored unless it `wasCommitted`. A
   * transaction that could not begin is not a member's fault, and trying its members alone would fail in the same way.
   */
  async function commitTogether(members: Member[], alreadyCommitted = false): Promise<Failure | null> {
    const locks = [...new Set(members.flatMap(member => member.lock ?? []))].sort()
    const shared: SharedWork = { events: [], settlements: new Map() }
    let transaction: OpenTransaction | null = null
    let results: Result[]
    let events: EventRecord[] = []
    try {
      transaction = await begin(locks)
      results = await runMembers(members, transaction, shared, alreadyCommitted)
      for (const result of results) if ('error' in result && failsBatch(result)) throw result.error
      const sent = results.flatMap(result => result.sent)
      if (results.some(result => result.wrote)) events = await transaction.commit({ ...shared, sent })
      else await transaction.rollback()
    } catch (error) {
      await transaction?.rollback().catch(() => {})
      return { error, begun: transaction !== null, wasCommitted: await wasCommitted(transaction, error) }
    }
    if (events.length > 0) onCommit(events)
    for (const [i, member] of members.entries()) finish(member, results[i])
    return null
  }

  function finish(member: Member, result: Result | undefined) {
    if (!result) return
    if ('error' in result) member.reject(result.error)
    else member.resolve((result.value instanceof AfterCommit ? result.value.read() : result.value) as never)
  }

  /** Members run side by side; those that name the same lock run one after the other. */
  function runMembers(
    members: Member[],
    transaction: OpenTransaction,
    shared: SharedWork,
    alreadyCommitted: boolean,
  ): Promise<Result[]> {
    const lastOfLock = new Map<string, Promise<unknown>>()
    return Promise.all(
      members.map(member => {
        const before = member.lock === undefined ? undefined : lastOfLock.get(member.lock)
        const run = () => runMember(member, session(transaction, shared, alreadyCommitted))
        const result = before ? before.then(run) : run()
        if (member.lock !== undefined) lastOfLock.set(member.lock, result)
        return result
      }),
    )
  }

  async function runMember(member: Member, tx: WriteSession): Promise<Result> {
    try {
      const value = await member.work(tx)
      return { value, sent: tx.sent, wrote: tx.wrote }
    } catch (error) {
      return { error, sent: [], wrote: tx.wrote }
    }
  }
}

/** A refusal before anything was written harms no other member; any other failure takes the transaction with it. */
function failsBatch(result: { error: unknown; wrote: boolean }): boolean {
  return result.wrote || !(result.error instanceof BeckonError) || result.error instanceof ConnectionLost
}

/** When even this cannot be found out, the database is unavailable, and the next try reports that. */
async function wasCommitted(transaction: OpenTransaction | null, error: unknown): Promise<boolean> {
  if (!transaction || !(error instanceof ConnectionLost)) return false
  return transaction.wasCommitted().catch(() => false)
}

interface Failure {
  error: unknown
  begun: boolean
  wasCommitted: boolean
}

type Result = { sent: WriteSession['sent']; wrote: boolean } & ({ value: unknown } | { error: unknown })
