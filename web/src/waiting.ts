import type { ApprovalRequest, Request } from '../../src/protocol/request.ts'
import type { Run } from '../../src/protocol/run.ts'
import { titleOf } from '../../src/rules/title.ts'
import { serverTime } from './server-time.ts'

// The order of the inbox, without a screen: what could destroy something first, then what is about to be decided without
// a person, then the newest; what belongs to one run stands together.

/** How much a hasty yes could destroy: 2 is critical, 1 is high, 0 is the usual. */
export function dangerOf(request: Request): 0 | 1 | 2 {
  return request.kind === 'approval' ? dangerIn(request.action.severity) : 0
}

export function dangerIn(severity: ApprovalRequest['action']['severity']): 0 | 1 | 2 {
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}

/** Not much time is left, and silence has consequences. */
const soon = 10 * 60_000

/** What should be looked at before all else: what could destroy much, and what is about to be decided without a person. */
function isUrgent(request: Request, now: number): boolean {
  return dangerOf(request) > 0 || isDueSoon(request, now)
}

function isDueSoon({ deadline, onTimeout }: Request, now: number): boolean {
  return deadline !== null && onTimeout !== 'remind' && Date.parse(deadline) - now < soon
}

export interface Group {
  readonly key: string
  /** Those that are urgent stand first, whoever asks. */
  readonly urgent: boolean
  /** Null for those who ask without a run. */
  readonly run: string | null
  readonly name: string
  readonly requests: readonly Request[]
  /** How many there are, where not all of them are shown. */
  readonly count: number
}

export function pendingOf(requests: ReadonlyMap<string, Request>, now = serverTime()): Request[] {
  return [...requests.values()].filter(({ status }) => status === 'pending').sort(byUrgency(now))
}

export function groupsOf(requests: readonly Request[], runs: ReadonlyMap<string, Run>, now: number): Group[] {
  const urgent = requests.filter(request => isUrgent(request, now))
  const rest = requests.filter(request => !isUrgent(request, now))
  // Two agents of one name in two folders are two.
  const groups = Map.groupBy(rest, ({ run, agent }) => run ?? `${agent.name} ${agent.cwd}`)
  return [
    ...(urgent.length > 0
      ? [{ key: 'urgent', urgent: true, run: null, name: '', requests: urgent, count: urgent.length }]
      : []),
    ...[...groups].flatMap(([key, requests]) => {
      const [first] = requests
      return first
        ? [{ key, urgent: false, run: first.run, name: askerOf(first, runs), requests, count: requests.length }]
        : []
    }),
  ]
}

/** The first so many rows. What comes with more of them comes behind these. */
export function firstRows(groups: readonly Group[], most: number): Group[] {
  let left = most
  return groups.flatMap(group => {
    const requests = group.requests.slice(0, left)
    left -= requests.length
    return requests.length > 0 ? [{ ...group, requests }] : []
  })
}

/** Those that have every one of these words in what they ask, who asks it, or where. */
export function matching(requests: readonly Request[], runs: ReadonlyMap<string, Run>, words: string): Request[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return requests.filter(request => {
    const { id, agent } = request
    const text = [titleOf(request), askerOf(request, runs), agent.name, agent.cwd].join('\n').toLowerCase()
    // Letters of an id stand there by chance: it is found by its beginning.
    return wanted.every(word => text.includes(word) || (word.startsWith('req_') && id.startsWith(word)))
  })
}

/** The run by its name, else the agent. */
export function askerOf({ run, agent }: Request, runs: ReadonlyMap<string, Run>): string {
  return (run === null ? null : runs.get(run)?.name) ?? agent.name
}

/**
 * What the list shows while somebody is using it: rows keep their places, what was settled stays as such, and what is
 * new is only counted. Without a list to keep, it is what waits.
 */
export function heldOrder(kept: readonly string[] | null, requests: ReadonlyMap<string, Request>) {
  const pending = pendingOf(requests)
  if (kept === null) return { shown: pending, fresh: 0 }
  const known = new Set(kept)
  const shown = kept.flatMap(id => requests.get(id) ?? [])
  return { shown, fresh: pending.filter(({ id }) => !known.has(id)).length }
}

function byUrgency(now: number) {
  const rank = (request: Request) => dangerOf(request) * 2 + (isDueSoon(request, now) ? 1 : 0)
  return (a: Request, b: Request) => rank(b) - rank(a) || compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
