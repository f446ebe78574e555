import type { Request } from '../../protocol/request.ts'
import type { Context } from '../context.ts'
import { print } from '../output/print.ts'
import type { Reporter } from '../output/reporter.ts'

/** What a caller gets that cannot wait any longer: the id, and how to wait on. All of it is our own, and harmless. */
export function printTicket(
  { stdout }: Context,
  { id, status }: Pick<Request, 'id' | 'status'>,
  { waitCommand }: Reporter,
): Promise<void> {
  return print(stdout, `${JSON.stringify({ status, id, wait: waitCommand({ id }) })}\n`)
}
