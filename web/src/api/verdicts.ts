import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { call } from './call.ts'

/** What the guard says to a command. */
export interface Verdict extends Pick<ApprovalRequest['action'], 'severity' | 'reasons' | 'safer'> {
  verdict: 'allow' | 'ask' | 'deny'
}

export function judge(id: string, command: string, signal: AbortSignal): Promise<Verdict> {
  return call('POST', `/requests/${encodeURIComponent(id)}/verdict`, { body: { command }, signal })
}
