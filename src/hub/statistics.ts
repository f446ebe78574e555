import {
  type Kind,
  kinds,
  type SettledStatus,
  type Severity,
  settled as settledStatuses,
  settlingEvent,
  severities,
} from '../protocol/index.ts'
import { countsLock } from '../store/locks.ts'
import type { EventGroupRow } from '../store/statements/statistics.ts'
import type { Store, Transaction, View } from '../store/store.ts'

// What waits is counted when somebody wants to know. What happened is summed up in the table `counts`, from events: a
// cursor moves in the same transaction as the sums, so that each event counts once, no matter who settled a request (a server, a
// command, a deadline) and however many servers are asked. Nothing is counted while nobody asks; it is caught up then.

export interface Statistics {
  waiting: (OfKind & { count: number; oldest: number })[]
  /** What people decided and the asker has not taken. */
  undelivered: { kind: Kind; count: number; oldest: number }[]
  /** By the kind of target. */
  unsentMessages: { target: string; count: number }[]
  activeRuns: { status: string; count: number }[]
  created: (OfKind & { count: number })[]
  settled: (OfKind & { status: SettledStatus; channel: string; count: number })[]
  delivered: { kind: Kind; count: number }[]
  /** From the ask to the decision of a person. */
  timesToAnswer: (OfKind & Times)[]
  /** From the decision of a person to the asker's word that it has it. */
  timesToDeliver: ({ kind: Kind } & Times)[]
}

interface OfKind {
  kind: Kind
  /** Only approvals have one. */
  severity: Severity | null
}

interface Times {
  /** How many took no longer than each of `timeLimits`, and longer than the one before; the last are those beyond all. */
  buckets: number[]
  /** In milliseconds. */
  sum: number
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
export const timeLimits = [
  ...[1, 5, 15, 30].map(count => count * second),
  ...[1, 2, 5, 15, 30].map(count => count * minute),
  ...[1, 2, 4, 8, 24, 72].map(count => count * hour),
]
/** The most decisions that nobody took to count: where askers never confirm, there is no end of them. */
const mostUndelivered = 10_000

// So that one look blocks nobody for long; what is left is counted by the next one.
const slice = 2_000
const mostSlices = 25

/** Channels that programs name themselves are one: their names could be any text. */
const channels = [
  ...['web', 'terminal', 'cli', 'http', 'mcp', 'sdk', 'file', 'rule', 'policy', 'hook', 'agent'],
  ...['slack', 'telegram', 'ntfy', 'push'],
]

export function createStatistics(store: Store): () => Promise<Statistics> {
  return async () => {
    // A store that can only be read still tells what waits, and what was counted before.
    await countEvents(store).catch(() => {})
    return store.read(readStatistics)
  }
}

async function countEvents(store: Store): Promise<void> {
  for (let slices = 0; slices < mostSlices; slices += 1) {
    const [cursor, last] = await store.read(view => Promise.all([view.countsCursor(), view.lastEvent()]))
    if (cursor === last) return
    await store.change(countSlice, countsLock)
  }
}

async function countSlice(tx: Transaction): Promise<void> {
  const last = await tx.lastEvent()
  const after = await tx.countsCursor()
  // The first time: what was before is not counted.
  const upTo = after === null ? last : Math.min(last, after + slice)
  if (after !== null) {
    const sums = new Map<string, number>()
    for (const group of await tx.eventGroups({ after, upTo, limits: timeLimits })) {
      for (const [name, by] of sumsOf(group)) sums.set(name, (sums.get(name) ?? 0) + by)
    }
    for (const [name, by] of sums) await tx.addCount(name, by)
  }
  await tx.setCountsCursor(upTo)
}

/** What a group of events adds to which sums. */
function sumsOf({ type, kind, severity, channel, bucket, count, time }: EventGroupRow): [string, number][] {
  const of = `${kind} ${severity ?? '-'}`
  if (type === 'request.created') return [[`created ${of}`, count]]
  if (type === 'request.delivered') {
    return [
      [`delivered ${kind}`, count],
      [`delivery ${kind} ${bucket}`, count],
      [`delivery ${kind} sum`, time],
    ]
  }
  const status = settledStatuses.find(one => settlingEvent(one) === type)
  const through = channels.find(one => one === channel) ?? 'other'
  const settled: [string, number] = [`settled ${of} ${status} ${through}`, count]
  if (!isByPerson(status, through)) return [settled]
  return [settled, [`answer ${of} ${bucket}`, count], [`answer ${of} sum`, time]]
}

function isByPerson(status: SettledStatus | undefined, channel: string): boolean {
  if (channel === 'rule' || channel === 'policy') return false
  return status === 'answered' || status === 'skipped' || status === 'declined'
}

async function readStatistics(view: View): Promise<Statistics> {
  const now = await view.now()
  const counts = await view.counts()
  const waiting = await view.waitingByKind()
  const undelivered = await view.undelivered(mostUndelivered)
  return {
    waiting: everyKind.map(of => {
      const row = waiting.find(row => row.kind === of.kind && row.severity === of.severity)
      return { ...of, count: row?.count ?? 0, oldest: age(now, row?.oldest) }
    }),
    undelivered: kinds.map(kind => {
      const row = undelivered.find(row => row.kind === kind)
      return { kind, count: row?.count ?? 0, oldest: age(now, row?.oldest) }
    }),
    unsentMessages: (await view.waitingMessagesByKind()).map(({ kind, count }) => ({ target: kind, count })),
    activeRuns: await view.activeRunsByStatus(),
    created: everyKind.map(of => ({ ...of, count: counts.get(`created ${nameOf(of)}`) ?? 0 })),
    settled: everyKind.flatMap(of =>
      settledStatuses.flatMap(status =>
        [...channels, 'other'].flatMap(channel => {
          const count = counts.get(`settled ${nameOf(of)} ${status} ${channel}`)
          return count === undefined ? [] : [{ ...of, status, channel, count }]
        }),
      ),
    ),
    delivered: kinds.map(kind => ({ kind, count: counts.get(`delivered ${kind}`) ?? 0 })),
    timesToAnswer: everyKind.map(of => ({ ...of, ...times(counts, `answer ${nameOf(of)}`) })),
    timesToDeliver: kinds.map(kind => ({ kind, ...times(counts, `delivery ${kind}`) })),
  }
}

const everyKind: OfKind[] = kinds.flatMap((kind): OfKind[] =>
  kind === 'approval' ? severities.map(severity => ({ kind, severity })) : [{ kind, severity: null }],
)

function nameOf({ kind, severity }: OfKind): string {
  return `${kind} ${severity ?? '-'}`
}

function age(now: number, since: number | undefined): number {
  return since === undefined ? 0 : Math.max(0, now - since)
}

function times(counts: ReadonlyMap<string, number>, name: string): Times {
  const buckets = [...timeLimits, null].map((_, i) => counts.get(`${name} ${i}`) ?? 0)
  return { buckets, sum: counts.get(`${name} sum`) ?? 0 }
}
