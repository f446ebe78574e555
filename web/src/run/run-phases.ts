import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'

// What a run did over time: it works, unless it sleeps, is paused, or waits for a person. Where two are true at once, the
// first of these counts.

export type Doing = 'asleep' | 'paused' | 'waiting' | 'working'

export interface RunPhase {
  readonly doing: Doing
  readonly from: number
  readonly to: number
}

type Span = readonly [from: number, to: number]
type Asked = Pick<Request, 'createdAt' | 'settledAt'>

/** From its start until its end, or until now, without gaps. */
export function runPhases(run: Run, requests: readonly Asked[], events: readonly Event[], now: number): RunPhase[] {
  const start = Date.parse(run.startedAt)
  const end = run.endedAt === null ? Math.max(now, start) : Date.parse(run.endedAt)
  const spans: Record<Exclude<Doing, 'working'>, Span[]> = {
    asleep: between(events, ['run.asleep'], ['run.woken'], end),
    paused: between(events, ['run.paused'], ['run.resumed'], end),
    waiting: requests.map(({ createdAt, settledAt }) => [
      Date.parse(createdAt),
      settledAt === null ? end : Date.parse(settledAt),
    ]),
  }
  const cuts = [start, end, ...Object.values(spans).flat(2)].filter(time => time >= start && time <= end)
  const times = [...new Set(cuts)].sort((a, b) => a - b)
  const phases: RunPhase[] = []
  for (const [i, from] of times.entries()) {
    const to = times[i + 1]
    if (to === undefined) break
    const doing = doingAt((from + to) / 2)
    const last = phases.at(-1)
    if (last?.doing === doing) phases[phases.length - 1] = { ...last, to }
    else phases.push({ doing, from, to })
  }
  return phases

  function doingAt(time: number): Doing {
    const kinds = ['asleep', 'paused', 'waiting'] as const
    return kinds.find(kind => spans[kind].some(([from, to]) => from <= time && time < to)) ?? 'working'
  }
}

/** How long it did each of them, in milliseconds. */
export function timeSpent(phases: readonly RunPhase[]): Record<Doing, number> {
  const spent = { asleep: 0, paused: 0, waiting: 0, working: 0 }
  for (const { doing, from, to } of phases) spent[doing] += to - from
  return spent
}

/** How long at least one of them lasted, in milliseconds. */
export function timeCovered(spans: readonly Span[]): number {
  let covered = 0
  let until = Number.NEGATIVE_INFINITY
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    covered += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return covered
}

function between(events: readonly Event[], begins: Event['type'][], ends: Event['type'][], end: number): Span[] {
  const spans: Span[] = []
  let from: number | null = null
  for (const { type, at } of events.toSorted((a, b) => a.id - b.id)) {
    if (begins.includes(type)) from ??= Date.parse(at)
    else if (ends.includes(type) && from !== null) {
      spans.push([from, Date.parse(at)])
      from = null
    }
  }
  return from === null ? spans : [...spans, [from, end]]
}
