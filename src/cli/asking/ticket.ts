import type { Request } from '../../protocol/request.ts'
import type { Context } from '../context.ts'
import { printJson } from '../output/print-json.ts'
import type { Reporter } from '../output/reporter.ts'

/** For a caller that stops waiting: the id, the command that only waits, and the one that carries the caller on. */
export function printTicket(
  { stdout }: Context,
  request: Request,
  { waitCommand, resumeCommand }: Reporter,
): Promise<void> {
  const { status, id } = request
  return printJson(stdout, { status, id, wait: waitCommand(request), resume: resumeCommand(request) })
}
