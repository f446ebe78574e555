import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { accessLock, chatLock, keptLock, outboxLock, searchLock } from './locks.ts'
import type { CheckpointRecord } from './records.ts'
import type { WindowRow } from './statements/garbage.ts'
import type { Store, Transaction, View } from './store.ts'

/** What one short transaction has deleted. */
export interface Slice {
  requests: string[]
  events: number
  runs: string[]
  checkpoints: CheckpointRecord[]
  /** Files, pieces of logs, drafts, tokens and kept values, which nobody counts. */
  others: number
}

export interface GarbageOptions {
  /** Requests settled, runs ended and events appended before this time are old. */
  before: number
  signal?: AbortSignal
  /** Called after each commit, to delete what is stored elsewhere about the same things. */
  onSlice?: (slice: Slice) => Promise<void> | void
}

// Rows of one transaction. A request has values and messages beside its row, and a piece of a log is large.
const slices = {
  requests: 250,
  runs: 250,
  events: 1_000,
  checkpoints: 250,
  logs: 50,
  attachments: 10,
  leftovers: 300,
  grams: 1_000,
}
// Between two transactions. Whoever waits for SQLite's lock looks for it this often.
const shortestPause = 25
// Old tokens, kept values, messages and presses go, too.
const locks = ['gc', accessLock, chatLock, keptLock, outboxLock, searchLock]

/**
 * Deletes what is old and over: settled requests, ended runs, and the events of both. Pending requests stay, and so does
 * everything that a run may come back for. It deletes a little at a time and pauses as long as that took, so that no writer
 * waits long. Several may run at once; stopping between two slices leaves a consistent store.
 */
export async function collectGarbage(store: Store, { before, signal, onSlice }: GarbageOptions): Promise<void> {
  const garbage = { store, before, lastOld: '', isStopped: () => signal?.aborted ?? false }
  for (const slicesOf of [oldRequests, emptySegments, lostAttachments, oldRuns, oldEvents, leftovers]) {
    let started = performance.now()
    for await (const slice of slicesOf(garbage)) {
      await onSlice?.({ ...nothing, ...slice })
      if (garbage.isStopped()) return
      await sleep(Math.max(shortestPause, performance.now() - started))
      started = performance.now()
    }
  }
}

interface Garbage {
  store: Store
  before: number
  /** The last id of the requests that were looked at and may be old. */
  lastOld: string
  isStopped(): boolean
}

type Slices = AsyncGenerator<Partial<Slice>>

const nothing: Slice = { requests: [], events: 0, runs: [], checkpoints: [], others: 0 }

async function* oldRequests(garbage: Garbage): Slices {
  const { before } = garbage
  const find = async (view: View, after: string) => {
    const window = await view.oldRequests({ before, after, limit: slices.requests })
    if (window.begun > 0) garbage.lastOld = window.last ?? after
    return window
  }
  for await (const ends of windows(garbage, '', find)) {
    yield { requests: await remove(garbage, tx => tx.deleteOldRequests({ before, ...ends })) }
  }
}

/** The index of searches, where it tells of nothing any more: nothing that is younger was deleted. */
async function* emptySegments(garbage: Garbage): Slices {
  while (!garbage.isStopped()) {
    const others = await remove(garbage, async tx => {
      const isOut = await tx.deleteEmptySegment(garbage.lastOld)
      return (isOut ? 1 : 0) + (await tx.deleteGrams(slices.grams))
    })
    if (others === 0) return
    yield { others }
  }
}

/** After their requests: no request is ever without its files, and what an earlier time left behind goes, too. */
async function* lostAttachments(garbage: Garbage): Slices {
  while (!garbage.isStopped()) {
    const others = await remove(garbage, tx => tx.deleteLostAttachments(slices.attachments))
    if (others === 0) return
    yield { others }
  }
}

/** The logs and checkpoints of a run go before the run itself: where this is stopped, the next time finds the rest. */
async function* oldRuns({ before, ...garbage }: Garbage): Slices {
  const find = (view: View, after: string) => view.oldRuns({ before, after, limit: slices.runs })
  for await (const ends of windows(garbage, '', find)) {
    const range = { before, ...ends }
    for (;;) {
      const others = await remove(garbage, tx => tx.deleteOldLogs(range, slices.logs))
      if (others === 0) break
      yield { others }
    }
    for (;;) {
      const checkpoints = await remove(garbage, tx => tx.deleteOldCheckpoints(range, slices.checkpoints))
      if (checkpoints.length === 0) break
      yield { checkpoints }
    }
    yield { runs: await remove(garbage, tx => tx.deleteOldRuns(range)) }
  }
}

async function* oldEvents({ before, ...garbage }: Garbage): Slices {
  const find = (view: View, after: number) => view.oldEvents({ before, after, limit: slices.events })
  for await (const ends of windows(garbage, 0, find)) {
    yield { events: await remove(garbage, tx => tx.deleteOldEvents({ before, ...ends })) }
  }
}

async function* leftovers({ before, ...garbage }: Garbage): Slices {
  while (!garbage.isStopped()) {
    const others = await remove(garbage, tx => tx.deleteLeftovers(before, slices.leftovers))
    if (others === 0) return
    yield { others }
  }
}

/** The ends of every window that contains something to delete. Looking takes no lock. */
async function* windows<Key>(
  { store, isStopped }: Omit<Garbage, 'before'>,
  start: Key,
  find: (view: View, after: Key) => Promise<WindowRow<Key>>,
): AsyncGenerator<{ after: Key; to: Key }> {
  for (let after = start; !isStopped(); ) {
    const { last, found, begun } = await store.read(view => find(view, after))
    if (last === null) return
    if (found > 0) yield { after, to: last }
    // Everything from here on is younger.
    if (begun === 0) return
    after = last
    await setImmediate()
  }
}

function remove<T>({ store }: Pick<Garbage, 'store'>, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.change(work, locks)
}
