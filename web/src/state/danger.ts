import type { ApprovalRequest, Request } from '../../../src/protocol/request.ts'

/** How much a hasty yes could destroy: 2 is critical, 1 is high, 0 is everything else. */
export type DangerLevel = 0 | 1 | 2

export function dangerLevel(request: Request): DangerLevel {
  return request.kind === 'approval' ? severityLevel(request.action.severity) : 0
}

export function severityLevel(severity: ApprovalRequest['action']['severity']): DangerLevel {
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}
