import type { ApprovalRequest } from '../protocol/index.ts'

/** What the guard says to a command. */
export interface Verdict {
  verdict: 'allow' | 'ask' | 'deny'
  severity: ApprovalRequest['action']['severity']
  reasons: readonly { rule: string; message: string; span: readonly [number, number] }[]
  safer: string | null
}

/** Says what a person's own version of an action would be; it is judged again where it runs. */
export type Judge = (action: ApprovalRequest['action'], command: string) => Promise<Verdict>
