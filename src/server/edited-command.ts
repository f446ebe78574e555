import { checkEdit } from '../approval/edit.ts'
import { invalid, isForPeople, type Verdict } from '../protocol/index.ts'
import type { SignedInCaller } from './access/callers.ts'
import { HttpFault } from './errors.ts'
import type { RouteContext } from './route-context.ts'

/** What the guard says about a person's version, while they write it. */
export async function judgeEdit(
  { judge }: RouteContext,
  caller: SignedInCaller,
  id: string,
  command: string,
): Promise<Verdict> {
  const request = await caller.hub.get(id)
  if (request.kind !== 'approval') {
    throw invalid([{ path: 'id', message: `${id} is a ${request.kind}, not an approval` }])
  }
  if (!judge) throw new HttpFault(501, 'unsupported', 'This server does not judge commands.')
  const { verdict, severity, reasons, safer } = await judge(request.action, command)
  return { verdict, severity, reasons: reasons.map(({ rule, message, span }) => ({ rule, message, span })), safer }
}

/** Refuses an answer whose command the guard refuses, or which is too dangerous for this channel. */
export async function refuseBadEdit(
  context: RouteContext,
  caller: SignedInCaller,
  id: string,
  edited: string,
): Promise<void> {
  if (!context.judge || !isForPeople(caller.grant.scope) || edited.trim() === '') return
  const request = await caller.hub.get(id)
  if (request.kind !== 'approval' || request.status !== 'pending') return
  const channel = caller.grant.kind === 'session' ? 'web' : 'http'
  checkEdit(await context.judge(request.action, edited), channel, 'edited')
}

export function editOf(body: unknown): string | null {
  const { edited } = (body ?? {}) as { edited?: unknown }
  return typeof edited === 'string' ? edited : null
}
