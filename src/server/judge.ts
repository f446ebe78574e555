import type { ApprovalRequest, Verdict } from '../protocol/index.ts'

/** Judges a person's version of an action. It is judged again where it runs. */
export type Judge = (action: ApprovalRequest['action'], command: string) => Promise<Verdict>
