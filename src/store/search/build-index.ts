import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { searchLock } from '../locks.ts'
import type { ChangedRow, SearchedRow } from '../statements/search.ts'
import type { SearchProgress, Store, Transaction } from '../store.ts'
import { blocksOfSegment } from './candidates.ts'
import { type Bucket, GramCollector } from './grams.ts'
import { beyond } from './read-index.ts'

// The index of searches, built in the background. Requests in the order of their ids form segments of 64 blocks, and for
// each gram a segment has a mask of the blocks in which it occurs. Two marks say how far the index goes:
//
//   end     Requests below this id are in it, except for what happened after `event`. Those from there on are not, and a
//           search reads them one by one.
//   event   The number of an event. Numbers are in the order of commits, so a request below `end` that was committed
//           late, or settled after its segment was built, has an event beyond this one. A search looks at the
//           requests of those events one by one, until `catchUp` has added them to their blocks.
//
// A segment becomes visible when it is complete, in the transaction that moves `end`, and only if both marks are where
// they were before its requests were read. One that is not finished (a crash, a lost lease) is deleted by the next
// builder. Each transaction of a builder renews its lease, and changes nothing once another builder has taken it: that one
// may use the number of a deleted segment again. No transaction here takes long, and nobody waits for one: searches, asks
// and answers go on meanwhile.

// Small enough that a search looks at few requests for each that it finds, large enough that the index stays small.
const usualBlockSize = 32

export interface BuildOptions {
  signal?: AbortSignal
  /** Fewer events than this are not worth a write: searches look at their requests one by one. */
  leastEvents?: number
  /** How many requests a block has. */
  blockSize?: number
  /** Whether to leave the machine to others most of the time. */
  pauses?: boolean
}

const usualLeastEvents = 1_000
// Milliseconds. A builder that does not come back for this long has died.
const lease = 60_000
// How many blocks it reads at most before it comes back.
const blocksPerRenewal = 8
// Milliseconds that a transaction should take at most, and with how many buckets or events it begins.
const longTransaction = 10
const fewest = 10
// A tenth of one processor is enough: a search that finds less in the index only reads more.
const restPerWork = 9
const longestPause = 1_000
const mostBuckets = 1_000
const mostEvents = 500

/** Builds what is missing, a little at a time, unless somebody else does. */
export async function buildSearchIndex(store: Store, options: BuildOptions = {}): Promise<void> {
  const { signal, leastEvents = usualLeastEvents, blockSize = usualBlockSize, pauses = true } = options
  const isStopped = () => signal?.aborted ?? false
  let stepped = performance.now()
  const builder: Builder = {
    store,
    holder: randomUUID(),
    blockSize,
    isStopped,
    pause,
    sizes: { buckets: 200, events: 20 },
  }
  if (!(await hasWork(builder, leastEvents)) || !(await takeLease(builder))) return
  try {
    if (!(await begin(builder)) || !(await deleteUnfinished(builder))) return
    while (!isStopped() && (await hasWork(builder, leastEvents))) {
      if (!(await catchUp(builder)) || !(await buildSegments(builder))) return
    }
  } finally {
    await endLease(builder).catch(() => {})
  }

  async function pause() {
    const rest = pauses ? Math.min(longestPause, (performance.now() - stepped) * restPerWork) : 0
    await sleep(rest, undefined, { ref: !pauses, ...(signal ? { signal } : {}) }).catch(() => {})
    stepped = performance.now()
  }
}

interface Builder {
  store: Store
  holder: string
  blockSize: number
  isStopped(): boolean
  /** Between two steps. */
  pause(): Promise<void>
  /** What fits into a short transaction. */
  sizes: { buckets: number; events: number }
}

async function hasWork({ store, blockSize }: Builder, leastEvents: number): Promise<boolean> {
  return store.read(async view => {
    const [progress, last] = await Promise.all([view.searchProgress(), view.lastEvent()])
    if (progress && progress.end !== '' && last - progress.event >= Math.max(1, leastEvents)) return true
    return view.hasRequests(progress?.end ?? '', blocksOfSegment * blockSize)
  })
}

function takeLease({ store, holder }: Builder): Promise<boolean> {
  return store.change(async tx => tx.takeSearchLease(holder, (await tx.now()) + lease), searchLock)
}

function endLease({ store, holder }: Builder): Promise<boolean> {
  return store.change(tx => tx.renewSearchLease(holder, 0), searchLock)
}

/** Null where another builder has taken the lease. */
function change<T>({ store, holder }: Builder, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  return store.change(async tx => {
    const until = (await tx.now()) + lease
    return (await tx.renewSearchLease(holder, until)) ? work(tx) : null
  }, searchLock)
}

/**
 * Everything is in the requests themselves when the first segment is built: events before that are of no interest. False
 * where somebody else came between.
 */
async function begin(builder: Builder): Promise<boolean> {
  const begun = await change(builder, async tx => {
    const progress = await tx.searchProgress()
    if (!progress || progress.end === '') await tx.setSearchProgress({ end: '', event: await tx.lastEvent() })
    return true
  })
  return begun ?? false
}

/** False where somebody else came between. */
async function deleteUnfinished(builder: Builder): Promise<boolean> {
  while (!builder.isStopped()) {
    const deleted = await change(builder, tx => tx.deleteGrams(mostBuckets))
    if (deleted === null) return false
    if (deleted === 0) return true
    await builder.pause()
  }
  return false
}

/** Adds what was asked late, and outcomes, to the blocks of their requests. False where somebody else came between. */
async function catchUp(builder: Builder): Promise<boolean> {
  const { store, sizes, isStopped, pause } = builder
  for (;;) {
    const [progress, last] = await store.read(view => Promise.all([view.searchProgress(), view.lastEvent()]))
    if (!progress || isStopped()) return false
    if (progress.event >= last) return true
    const to = (await store.read(view => view.nthChange(progress.event, sizes.events))) ?? last
    const changed = await store.read(view => view.changedTexts({ after: progress.event, to, end: progress.end }))
    const grams = gramsBySegment(changed)
    const { took, result: isCaughtUp } = await timed(() =>
      changeFrom(builder, progress, async tx => {
        for (const [segment, buckets] of grams) await tx.addGrams(segment, buckets, { areFirst: false })
        await tx.setSearchProgress({ ...progress, event: to })
        return true
      }),
    )
    if (!isCaughtUp) return false
    sizes.events =
      took > longTransaction ? Math.max(fewest, sizes.events >> 1) : Math.min(mostEvents, sizes.events << 1)
    await pause()
  }
}

function gramsBySegment(changed: readonly ChangedRow[]): Map<number, Bucket[]> {
  const bySegment = Map.groupBy(changed, ({ segment }) => segment)
  return new Map(
    [...bySegment].map(([segment, rows]) => {
      const collector = new GramCollector()
      for (const row of rows) {
        if (row.is_new === 1) addTexts(collector, row)
        else collector.add(row.outcome)
        collector.endBlock(Number(row.block))
      }
      return [segment, [...collector.buckets()]]
    }),
  )
}

/** False where somebody else came between. */
async function buildSegments(builder: Builder): Promise<boolean> {
  const { store, blockSize, isStopped } = builder
  while (!isStopped()) {
    const progress = await store.read(view => view.searchProgress())
    if (!progress) return false
    if (!(await store.read(view => view.hasRequests(progress.end, blocksOfSegment * blockSize)))) return true
    if (!(await buildSegment(builder, progress))) return false
    // What was settled meanwhile is looked at one by one: that should not become much.
    const last = await store.read(view => view.lastEvent())
    if (last - progress.event >= usualLeastEvents) return true
  }
  return false
}

async function buildSegment(builder: Builder, progress: SearchProgress): Promise<boolean> {
  const { store, blockSize, sizes, isStopped, pause } = builder
  const collector = new GramCollector()
  const starts: string[] = []
  let after = ''
  for (let block = 0; block < blocksOfSegment; block += 1) {
    if (block % blocksPerRenewal === 0 && !(await change(builder, async () => true))) return false
    const page = { from: progress.end, after, limit: blockSize }
    const rows = await store.read(view => view.searchedTexts(page))
    const [first, last] = [rows[0], rows.at(-1)]
    // Garbage was collected meanwhile.
    if (!first || !last) break
    for (const row of rows) addTexts(collector, row)
    collector.endBlock(block)
    starts.push(first.id)
    after = last.id
    if (isStopped()) return false
    await pause()
  }
  const [first] = starts
  if (first === undefined) return false
  const segment = await changeFrom(builder, progress, tx => tx.beginSegment(first))
  if (segment === null) return false
  const buckets = collector.buckets()
  for (;;) {
    const some = take(buckets, sizes.buckets)
    if (some.length === 0) break
    const { took, result: isAdded } = await timed(() =>
      change(builder, async tx => {
        await tx.addGrams(segment, some, { areFirst: true })
        return true
      }),
    )
    if (!isAdded || isStopped()) return false
    sizes.buckets =
      took > longTransaction ? Math.max(fewest, sizes.buckets >> 1) : Math.min(mostBuckets, sizes.buckets << 1)
    await pause()
  }
  const published = await changeFrom(builder, progress, async tx => {
    await tx.publishSegment(segment, starts)
    await tx.setSearchProgress({ ...progress, end: beyond(after) })
    return true
  })
  return published ?? false
}

/** The next few; the others follow later. */
function take<T>(all: Iterator<T>, count: number): T[] {
  const some: T[] = []
  while (some.length < count) {
    const { done, value } = all.next()
    if (done) break
    some.push(value)
  }
  return some
}

/** Null where the index is not as it was, or another builder has taken the lease. */
function changeFrom<T>(
  builder: Builder,
  from: SearchProgress,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  return change(builder, async tx => {
    const progress = await tx.searchProgress()
    return progress?.end === from.end && progress.event === from.event ? work(tx) : null
  })
}

function addTexts(collector: GramCollector, row: SearchedRow): void {
  const { id, body, context, agent, agent_name, outcome, title, directory, session } = row
  for (const text of [id, body, context, agent, agent_name, outcome, title, directory, session]) collector.add(text)
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; took: number }> {
  const began = performance.now()
  const result = await work()
  return { result, took: performance.now() - began }
}
