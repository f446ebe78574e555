import type { Request } from '../../protocol/request.ts'
import type { Context } from '../context.ts'
import { print } from '../output/print.ts'
import type { Reporter } from '../output/reporter.ts'

/** For a caller that stops waiting: the id, and the command that waits again. Nothing in it comes from an agent. */
export function printTicket(
  { stdout }: Context,
  { id, status }: Pick<Request, 'id' | 'status'>,
  { waitCommand }: Reporter,
): Promise<void> {
  return print(stdout, `${JSON.stringify({ status, id, wait: waitCommand({ id }) })}\n`)
}
