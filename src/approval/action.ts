import type { AskInput } from '../protocol/ask.ts'
import type { Verdict } from '../protocol/verdict.ts'
import type { Binding } from './digest.ts'

export type ApprovalAction = Extract<AskInput, { kind: 'approval' }>['action']

// A person reads these; more would hide the first ones.
export const maxShown = 50

/** The action of a request: what a person sees, and what their yes is bound to. */
export function actionFor(
  command: string,
  cwd: string,
  { severity, reasons, safer }: Omit<Verdict, 'verdict'>,
  { digest, files }: Binding,
): ApprovalAction {
  return {
    ...{ command, cwd, digest, severity, safer },
    reasons: reasons.slice(0, maxShown).map(({ rule, message, span: [from, to] }) => {
      return { rule, message, span: [from, to] }
    }),
    files: [...files],
  }
}
