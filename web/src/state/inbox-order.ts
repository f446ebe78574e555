import type { ApprovalRequest, Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { askerKey, askerParts } from '../../../src/rules/asker.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { serverTime } from '../server-time.ts'

// The order of the inbox, without a screen: dangerous approvals first, then requests whose deadline is about to decide
// them, then the newest. Requests of one run stay together.

/** How much a hasty yes could destroy: 2 is critical, 1 is high, 0 is everything else. */
export type DangerLevel = 0 | 1 | 2

export function dangerLevel(request: Request): DangerLevel {
  return request.kind === 'approval' ? severityLevel(request.action.severity) : 0
}

export function severityLevel(severity: ApprovalRequest['action']['severity']): DangerLevel {
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}

/** A deadline closer than this makes a request urgent. */
const soon = 10 * 60_000

function isUrgent(request: Request, now: number): boolean {
  return dangerLevel(request) > 0 || isDueSoon(request, now)
}

/** Its deadline is close and would settle it. */
function isDueSoon({ deadline, onTimeout }: Request, now: number): boolean {
  return deadline !== null && onTimeout !== 'remind' && Date.parse(deadline) - now < soon
}

export interface Group {
  readonly key: string
  /** The urgent requests of every run and agent are one group, which comes first. */
  readonly urgent: boolean
  /** Null for requests without a run. */
  readonly run: string | null
  /** The run, or else the agent; empty for the urgent ones. */
  readonly name: string
  /** Of which directory, and of which session of the agent, where one is known. */
  readonly project: string | null
  readonly session: string | null
  readonly requests: readonly Request[]
  /** How many requests the group has, shown or not. */
  readonly count: number
}

export function pendingRequests(requests: ReadonlyMap<string, Request>, now = serverTime()): Request[] {
  return [...requests.values()].filter(({ status }) => status === 'pending').sort(byUrgency(now))
}

export function groupRequests(requests: readonly Request[], runs: ReadonlyMap<string, Run>, now: number): Group[] {
  const urgent = requests.filter(request => isUrgent(request, now))
  const rest = requests.filter(request => !isUrgent(request, now))
  const groups = Map.groupBy(rest, askerKey)
  return [
    ...(urgent.length > 0
      ? [{ ...nobody, key: 'urgent', urgent: true, run: null, requests: urgent, count: urgent.length }]
      : []),
    ...[...groups].flatMap(([key, requests]) => {
      const [first] = requests
      if (!first) return []
      const { agent: name, project, session } = askerParts(requests, runNameOf(first, runs))
      return [{ key, urgent: false, run: first.run, name, project, session, requests, count: requests.length }]
    }),
  ]
}

const nobody = { name: '', project: null, session: null }

/** The first `limit` rows. A higher limit adds rows at the end and moves none. */
export function takeRows(groups: readonly Group[], limit: number): Group[] {
  let left = limit
  return groups.flatMap(group => {
    const requests = group.requests.slice(0, left)
    left -= requests.length
    return requests.length > 0 ? [{ ...group, requests }] : []
  })
}

/** The requests that contain every word of the filter in their title, asker or directory. */
export function filterRequests(
  requests: readonly Request[],
  runs: ReadonlyMap<string, Run>,
  filter: string,
): Request[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return requests.filter(request => {
    const { id, agent, session } = request
    const texts = [titleOf(request), askerName(request, runs), agent.name, agent.cwd, session ?? '']
    const text = texts.join('\n').toLowerCase()
    // An id contains letters by chance, so only its beginning matches.
    return words.every(word => text.includes(word) || (word.startsWith('req_') && id.startsWith(word)))
  })
}

/** The name of the run, or of the agent if there is no run. */
export function askerName(request: Request, runs: ReadonlyMap<string, Run>): string {
  return runNameOf(request, runs) ?? request.agent.name
}

function runNameOf({ run }: Request, runs: ReadonlyMap<string, Run>): string | null {
  return (run === null ? null : runs.get(run)?.name) ?? null
}

/**
 * What the list shows while a person is using it: rows keep their places, settled requests stay visible, and new ones are
 * only counted. Without an order to keep, it shows the pending requests.
 */
export function stableOrder(order: readonly string[] | null, requests: ReadonlyMap<string, Request>) {
  const pending = pendingRequests(requests)
  if (order === null) return { shown: pending, newCount: 0 }
  const listed = new Set(order)
  const shown = order.flatMap(id => requests.get(id) ?? [])
  return { shown, newCount: pending.filter(({ id }) => !listed.has(id)).length }
}

function byUrgency(now: number) {
  const rank = (request: Request) => dangerLevel(request) * 2 + (isDueSoon(request, now) ? 1 : 0)
  return (a: Request, b: Request) => rank(b) - rank(a) || compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
