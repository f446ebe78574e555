import type { Request } from '../protocol/request.ts'
import type { Context } from './context.ts'
import { printJson } from './output.ts'

/** What a caller gets that cannot wait any longer: the id, and how to wait on. */
export function printTicket(context: Context, { id, status }: Pick<Request, 'id' | 'status'>): Promise<void> {
  return printJson(context.stdout, { status, id, wait: `beckon wait ${id}` })
}
