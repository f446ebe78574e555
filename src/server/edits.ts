import { BeckonError, invalid, isForPeople } from '../protocol/index.ts'
import type { SignedInCaller } from './access/callers.ts'
import { HttpFault } from './errors.ts'
import type { Verdict } from './judge.ts'
import type { RouteContext } from './route-context.ts'

export async function judgeEdit(
  { judge }: RouteContext,
  caller: SignedInCaller,
  id: string,
  command: string,
): Promise<Verdict> {
  const request = await caller.hub.get(id)
  if (request.kind !== 'approval') throw invalid([{ path: 'id', message: `${id} is no approval` }])
  if (!judge) throw new HttpFault(501, 'unsupported', 'This server judges no commands.')
  const { verdict, severity, reasons, safer } = await judge(request.action, command)
  return { verdict, severity, reasons: reasons.map(({ rule, message, span }) => ({ rule, message, span })), safer }
}

/** An answer with another command than was proposed: what is refused stays refused, whoever wrote it. */
export async function refuseBadEdit(
  parts: RouteContext,
  caller: SignedInCaller,
  id: string,
  edited: string,
): Promise<void> {
  if (!parts.judge || !isForPeople(caller.grant.scope) || edited.trim() === '') return
  const request = await caller.hub.get(id)
  if (request.kind !== 'approval' || request.status !== 'pending') return
  const { verdict, severity, reasons } = await parts.judge(request.action, edited)
  const why = reasons.map(({ message }) => message).join('; ')
  if (verdict === 'deny') throw invalid([{ path: 'edited', message: `is refused: ${why}` }])
  if (severity === 'critical' && caller.grant.kind !== 'session') {
    throw new BeckonError('not_allowed', `A critical action is approved in a terminal or in the browser (${why}).`)
  }
}

export function editOf(body: unknown): string | null {
  const { edited } = (body ?? {}) as { edited?: unknown }
  return typeof edited === 'string' ? edited : null
}
