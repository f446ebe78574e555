import { createHash, randomUUID } from 'node:crypto'
import { projectRules } from '../approval/project-rules.ts'
import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { commandRules } from '../rules/command-rules.ts'
import { decideCall } from '../tool-calls/decide-call.ts'
import { type CallPlan, planCall, type Surroundings } from '../tool-calls/plan-call.ts'
import { raiseCall } from '../tool-calls/raise-call.ts'
import type { Decision, ToolCall } from '../tool-calls/tool-call.ts'
import type { DecidedCalls } from './decided-calls.ts'
import type { HookHost, OpenedHub } from './hook.ts'
import { findHostProcess } from './host-process.ts'
import { contentOf, type OpenCalls } from './open-calls.ts'
import { type WaitOptions, waitForPerson } from './wait-for-person.ts'

/** What became of asking about a call. */
export type Asked =
  | { readonly how: 'decided'; readonly decision: Decision }
  /** The host has ended the hook, or somebody answered in its own dialog: nobody waits for us. */
  | { readonly how: 'withdrawn' }
  /** The hook's time is up, and the request is still open. */
  | { readonly how: 'pending'; readonly request: Request; readonly call: ToolCall }

export interface AskOptions extends WaitOptions {
  readonly calls: OpenCalls
  /** Whether to wait for a person; a rule decides at once. */
  readonly waits?: boolean
  /** Where the host may start several hooks for the call, and one when it has run: each of them is told the same. */
  readonly decided?: DecidedCalls
}

/** Asks a person about the call and waits. A yes is spent when this returns: tell the host at once. */
export async function askAboutCall(host: HookHost, given: ToolCall, options: AskOptions): Promise<Asked> {
  const { calls, decided, waits = true, answeredElsewhere } = options
  const opened = await host.open()
  const { hub } = opened
  const call = takeUpTicket(calls, given)
  const plan = planCall(call, await surroundingsOf(host, opened, call))
  if (plan.verdict === 'deny') return { how: 'decided', decision: { behavior: 'deny', message: plan.reason } }
  const nonce = nonceOf(given)
  const raised = await raiseOnce(hub, plan, () => decided?.find(given, nonce) ?? null)
  if (raised.status === 'pending' && !waits) return { how: 'pending', request: raised, call }
  await note(hub, calls, raised, call)
  await withdrawAbandoned(hub, calls)
  const settled = await waitForPerson(hub, raised, host, options)
  if (settled?.status === 'pending') return { how: 'pending', request: settled, call }
  calls.remove(raised.id)
  // Another hook found out first that the host has its answer.
  if (settled === null || (settled.status === 'cancelled' && answeredElsewhere)) return { how: 'withdrawn' }
  decided?.add(settled.id, given, nonce)
  // Rules may have changed while a person thought.
  const surroundings = await surroundingsOf(host, opened, call)
  const decision = await decideCall(hub, call, settled, { surroundings, nonce })
  return decision === null ? { how: 'withdrawn' } : { how: 'decided', decision }
}

/** Another hook of this call may have its answer already, while this one started: nobody is asked twice. */
async function raiseOnce(hub: HubApi, plan: CallPlan, findDecided: () => string | null): Promise<Request> {
  const before = await getIfKnown(hub, findDecided())
  if (before) return before
  const fresh = await raiseCall(hub, plan)
  const meanwhile = await getIfKnown(hub, findDecided())
  if (meanwhile === null || meanwhile.id === fresh.id) return fresh
  await withdraw(hub, fresh.id, 'Another hook of this call has the answer')
  return meanwhile
}

/** Null where the hub does not know it: it is another hub's. */
async function getIfKnown(hub: HubApi, request: string | null): Promise<Request | null> {
  if (request === null) return null
  return hub.get(request).catch(error => {
    if (isNotFound(error)) return null
    throw error
  })
}

/**
 * Two hooks of one host hear of the same call where the plugin and setup are both installed: the yes is for both. Another
 * process of the host, which continues the session, gets no second yes, and neither does another call that takes up the
 * same ticket at the same time.
 */
function nonceOf({ session, id }: ToolCall): string {
  const host = findHostProcess()
  if (host === null) return randomUUID()
  return createHash('sha256')
    .update(JSON.stringify([host, session, id]))
    .digest('hex')
}

async function surroundingsOf({ env }: HookHost, { hub, hmac }: OpenedHub, { cwd }: ToolCall): Promise<Surroundings> {
  return { env, hmac, rules: [...projectRules(cwd), ...commandRules(await hub.rules.list())] }
}

/** The same call again, in the same session: its request is the one that was left open. */
function takeUpTicket(calls: OpenCalls, call: ToolCall): ToolCall {
  const content = contentOf(call)
  const left = calls.list().find(one => one.waiter === null && one.deferredBy === null && one.content === content)
  return left ? { ...call, id: left.id } : call
}

/** Waits for something that is not a call, such as a form or a review. */
export async function askAside(
  host: HookHost,
  { ask, calls, ...options }: WaitOptions & { ask: AskInput; calls: OpenCalls },
): Promise<Request | null> {
  const { hub } = await host.open()
  const raised = await hub.raise(ask)
  await note(hub, calls, raised, { id: raised.id, tool: '', input: null })
  await withdrawAbandoned(hub, calls)
  const settled = await waitForPerson(hub, raised, host, options)
  calls.remove(raised.id)
  return settled
}

/** Notes that this hook waits for the request. Where that is impossible, nobody could ever find out that it is gone. */
async function note(
  hub: HubApi,
  calls: OpenCalls,
  { id }: Request,
  call: Pick<ToolCall, 'id' | 'tool' | 'input'>,
): Promise<void> {
  try {
    calls.add(id, call)
  } catch (error) {
    await withdraw(hub, id, 'The hook that asked could not go on')
    throw error
  }
}

/** A hook that was killed leaves a request that nobody waits for, unless the same call takes it up. Its session may never start a hook again. */
export async function withdrawAbandoned(hub: HubApi, calls: OpenCalls): Promise<void> {
  for (const { request, isOwn, forget } of calls.abandoned()) {
    const isKnown = await withdraw(hub, request, 'The hook that asked was killed')
    if (isKnown || isOwn) forget()
  }
}

/** False where the hub does not know it: it was deleted since, or is another hub's. */
export async function withdraw(hub: HubApi, request: string, reason: string): Promise<boolean> {
  try {
    await hub.cancel(request, { reason })
    return true
  } catch (error) {
    if (!isNotFound(error)) throw error
    return false
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof BeckonError && error.code === 'not_found'
}
