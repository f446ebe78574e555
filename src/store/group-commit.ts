import { setImmediate } from 'node:timers'
import { BeckonError } from '../protocol/index.ts'
import { type Closing, ConnectionLost, type OpenTransaction } from './connection.ts'
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
  session: (transaction: OpenTransaction, closing: Shared, happened: boolean) => WriteSession
  /** Called after each commit that announced something. */
  committed: (events: readonly EventRecord[]) => void
}

const maxBatch = 256
// Only after a broken connection; every change is guarded, so that doing it twice does it once.
const maxTries = 3

/**
 * Group commit: whatever wants to be written while a transaction is under way shares the next one, and so one
 * flush to disk. Nobody is told before COMMIT. When a batch fails, its members are tried alone, so that each fails
 * for its own reason.
 */
export function createGroupCommit({ begin, session, committed }: Options) {
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
      // Callers that wake in the same turn of the event loop should find themselves in the same transaction.
      await new Promise<void>(resolve => setImmediate(resolve))
      const members = queue.splice(0, maxBatch)
      const failure = await commitTogether(members)
      if (failure?.begun === false) for (const member of members) member.reject(failure.error)
      else if (failure) for (const member of members) await commitAlone(member, failure.happened)
    }
    running = null
  }

  async function commitAlone(member: Member, happenedBefore: boolean) {
    let happened = happenedBefore
    for (let tries = 1; ; tries += 1) {
      const failure = await commitTogether([member], happened)
      if (!failure) return
      happened ||= failure.happened
      if (!(failure.error instanceof ConnectionLost) || tries === maxTries) return member.reject(failure.error)
    }
  }

  /**
   * Null when every member has been told; otherwise nobody has, and nothing was stored unless it `happened`. What could
   * not even begin is no member's fault, and would meet the same closed door again.
   */
  async function commitTogether(members: Member[], happened = false): Promise<Failure | null> {
    const locks = [...new Set(members.flatMap(member => member.lock ?? []))].sort()
    const closing: Shared = { events: [], settling: new Map() }
    let transaction: OpenTransaction | null = null
    let results: Result[]
    let events: EventRecord[] = []
    try {
      transaction = await begin(locks)
      results = await runMembers(members, transaction, closing, happened)
      for (const result of results) if ('error' in result && spoils(result)) throw result.error
      const sent = results.flatMap(result => result.sent)
      if (results.some(result => result.wrote)) events = await transaction.commit({ ...closing, sent })
      else await transaction.rollback()
    } catch (error) {
      await transaction?.rollback().catch(() => {})
      return { error, begun: transaction !== null, happened: await didHappen(transaction, error) }
    }
    if (events.length > 0) committed(events)
    for (const [i, member] of members.entries()) tell(member, results[i])
    return null
  }

  function tell(member: Member, result: Result | undefined) {
    if (!result) return
    if ('error' in result) member.reject(result.error)
    else member.resolve((result.value instanceof AfterCommit ? result.value.read() : result.value) as never)
  }

  /** Members run side by side; those that name the same lock run one after the other. */
  function runMembers(
    members: Member[],
    transaction: OpenTransaction,
    closing: Shared,
    happened: boolean,
  ): Promise<Result[]> {
    const lastOfLock = new Map<string, Promise<unknown>>()
    return Promise.all(
      members.map(member => {
        const before = member.lock === undefined ? undefined : lastOfLock.get(member.lock)
        const run = () => runMember(member, session(transaction, closing, happened))
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

/** A refusal before anything was written harms nobody else; any other failure takes the transaction with it. */
function spoils(result: { error: unknown; wrote: boolean }): boolean {
  return result.wrote || !(result.error instanceof BeckonError) || result.error instanceof ConnectionLost
}

/** When even that cannot be found out, the database is away, and the next try will say so. */
async function didHappen(transaction: OpenTransaction | null, error: unknown): Promise<boolean> {
  if (!transaction || !(error instanceof ConnectionLost)) return false
  return transaction.happened().catch(() => false)
}

interface Failure {
  error: unknown
  begun: boolean
  happened: boolean
}

type Shared = Pick<Closing, 'events' | 'settling'>

type Result = { sent: WriteSession['sent']; wrote: boolean } & ({ value: unknown } | { error: unknown })
