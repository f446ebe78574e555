import type { Request } from '../protocol/request.ts'

/** Whether somebody still has to act on the answer: run the approved command, or use the value. `use` then delivers it. */
export function endsInEffect({ kind, status }: Pick<Request, 'kind' | 'status'>): boolean {
  return (kind === 'dependency' || kind === 'approval') && status === 'answered'
}
