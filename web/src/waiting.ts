import type { ApprovalRequest, Request } from '../../src/protocol/request.ts'
import type { Run } from '../../src/protocol/run.ts'

// The order of the inbox, without a screen: what could destroy something first, then the newest; what belongs to one run
// stands together.

/** How much a hasty yes could destroy: 2 is critical, 1 is high, 0 is the usual. */
export function dangerOf(request: Request): 0 | 1 | 2 {
  return request.kind === 'approval' ? dangerIn(request.action.severity) : 0
}

export function dangerIn(severity: ApprovalRequest['action']['severity']): 0 | 1 | 2 {
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}

export interface Group {
  /** Null for those who ask without a run. */
  readonly run: string | null
  readonly name: string
  readonly requests: readonly Request[]
}

export function pendingOf(requests: ReadonlyMap<string, Request>): Request[] {
  return [...requests.values()].filter(({ status }) => status === 'pending').sort(byUrgency)
}

export function groupsOf(requests: readonly Request[], runs: ReadonlyMap<string, Run>): Group[] {
  const groups = Map.groupBy(requests, ({ run, agent }) => run ?? `agent ${agent.name}`)
  return [...groups.values()].flatMap(requests => {
    const [first] = requests
    if (!first) return []
    const name = (first.run === null ? null : runs.get(first.run)?.name) ?? first.agent.name
    return [{ run: first.run, name, requests }]
  })
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

function byUrgency(a: Request, b: Request): number {
  return dangerOf(b) - dangerOf(a) || compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
