import { setImmediate } from 'node:timers'
import { BeckonError } from '../protocol/index.ts'
import { type ChangeContext, ConnectionLost, type OpenTransaction, type SharedWork } from './connection.ts'
import { LockNeeded } from './locks.ts'
import type { EventRecord } from './records.ts'
import { AfterCommit, type Transaction } from './store.ts'
import type { WriteSession } from './write-session.ts'

interface Member {
  work: (tx: Transaction) => Promise<unknown>
  /** Grows when the work turns out to need more. */
  locks: Set<string>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

interface Options {
  /** Opens a transaction that holds these locks. */
  begin: (locks: readonly string[]) => Promise<OpenTransaction>
  session: (transaction: OpenTransaction, shared: SharedWork, context: ChangeContext) => WriteSession
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

  function change<T>(
    work: (tx: Transaction) => Promise<T | AfterCommit<T>>,
    locks: string | readonly string[] = [],
  ): Promise<T> {
    if (closed) return Promise.reject(new BeckonError('closed', 'The hub was closed.'))
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, locks: new Set(typeof locks === 'string' ? [locks] : locks), resolve, reject })
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
      const { failure, again } = await commitTogether(members)
      queue.unshift(...again)
      if (!failure) continue
      if (failure.begun && failure.wasCommitted !== null)
        for (const member of members) await commitAlone(member, failure.wasCommitted)
      else for (const member of members) member.reject(failure.error)
    }
    running = null
  }

  async function commitAlone(member: Member, committedBefore: boolean) {
    let alreadyCommitted = committedBefore
    for (let tries = 1; ; ) {
      const { failure, again } = await commitTogether([member], alreadyCommitted)
      if (again.length > 0) continue
      if (!failure) return
      const { error, wasCommitted } = failure
      if (!(error instanceof ConnectionLost) || wasCommitted === null || tries === maxTries) return member.reject(error)
      alreadyCommitted ||= wasCommitted
      tries += 1
    }
  }

  /**
   * Without a failure, every member has its result, except those that must run `again` because they need more locks. With
   * one, no member has, and nothing was stored unless it `wasCommitted`. A transaction that could not begin is not a
   * member's fault, and trying its members alone would fail in the same way.
   */
  async function commitTogether(members: Member[], alreadyCommitted = false): Promise<Attempt> {
    const locks = [...new Set(members.flatMap(member => [...member.locks]))].sort()
    const shared: SharedWork = { events: [], settlements: new Map() }
    let transaction: OpenTransaction | null = null
    let results: Result[]
    let again: Member[]
    let events: EventRecord[] = []
    try {
      transaction = await begin(locks)
      results = await runMembers(members, transaction, shared, alreadyCommitted)
      // Members may have seen it as a reason of their own, or have gone on.
      const failure = transaction.failure()
      if (failure) throw failure
      for (const result of results) if ('error' in result && failsBatch(result)) throw result.error
      again = members.filter((member, i) => needsMoreLocks(member, results[i]))
      if (again.some(member => results[members.indexOf(member)]?.wrote)) {
        await transaction.rollback()
        return { failure: null, again: members }
      }
      const sent = results.flatMap(result => result.sent)
      if (results.some(result => result.wrote)) events = await transaction.commit({ ...shared, sent })
      else await transaction.rollback()
    } catch (error) {
      await transaction?.rollback().catch(() => {})
      return { failure: await failureOf(transaction, error), again: [] }
    }
    if (events.length > 0) onCommit(events)
    for (const [i, member] of members.entries()) if (!again.includes(member)) finish(member, results[i])
    return { failure: null, again }
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
        const locks = new Set(member.locks)
        const before = [...locks].flatMap(lock => lastOfLock.get(lock) ?? [])
        const run = () => runMember(member, session(transaction, shared, { locks, alreadyCommitted }))
        const result = before.length > 0 ? Promise.all(before).then(run) : run()
        for (const lock of locks) lastOfLock.set(lock, result)
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
  if (result.error instanceof LockNeeded) return false
  return result.wrote || !(result.error instanceof BeckonError) || result.error instanceof ConnectionLost
}

function needsMoreLocks(member: Member, result: Result | undefined): boolean {
  if (!result || !('error' in result) || !(result.error instanceof LockNeeded)) return false
  for (const lock of result.error.locks) member.locks.add(lock)
  return true
}

async function failureOf(transaction: OpenTransaction | null, error: unknown): Promise<Failure> {
  const begun = transaction !== null
  if (!transaction || !(error instanceof ConnectionLost)) return { error, begun, wasCommitted: false }
  try {
    return { error, begun, wasCommitted: await transaction.wasCommitted() }
  } catch (cause) {
    return { error: commitUnknown(cause), begun, wasCommitted: null }
  }
}

/** To run the change again now could make it twice. */
function commitUnknown(cause: unknown): BeckonError {
  const message =
    'The database stopped answering during a commit, so it is not known whether this change was stored. Once it answers, the same call again is safe.'
  return new BeckonError('unreachable', message, null, cause)
}

interface Attempt {
  failure: Failure | null
  again: Member[]
}

interface Failure {
  error: unknown
  begun: boolean
  /** Null where it cannot be found out. */
  wasCommitted: boolean | null
}

type Result = { sent: WriteSession['sent']; wrote: boolean } & ({ value: unknown } | { error: unknown })
