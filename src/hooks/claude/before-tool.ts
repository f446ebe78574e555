import { randomUUID } from 'node:crypto'
import { judgeCall } from '../../tool-calls/judge-call.ts'
import type { ToolCall } from '../../tool-calls/tool-call.ts'
import { askAboutCall } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { findHostProcess } from '../host-process.ts'
import { fieldsOf } from '../input.ts'
import type { OpenCalls } from '../open-calls.ts'
import { preToolUse, preToolUseDecision } from './replies.ts'
import { callOf, decidedCalls, isAttended, openCalls } from './session.ts'

/**
 * Before a tool runs. What the guard allows is left to Claude's own permissions. What it asks about opens Claude's dialog
 * where a person sits in front of it, and the hook of the dialog asks in the hub, too; where nobody does, a person is asked here.
 */
export async function beforeTool(input: unknown, host: HookHost): Promise<HookReply> {
  const { tool_use_id: id } = fieldsOf(input)
  const call = callOf(input, typeof id === 'string' && id !== '' ? id : randomUUID(), host.run)
  const { verdict, reason, hasRule } = judgeCall(call, { env: host.env, rules: await host.rules() })
  if (verdict === 'allow') return silence
  if (verdict === 'deny') return preToolUse('deny', `Beckon's guard refuses it: ${reason}`)
  const attended = isAttended(host)
  if (attended && !hasRule) return preToolUse('ask', reason)
  const calls = openCalls(host, call.session ?? '')
  if (!attended) return askUnattended(call, calls, host)
  // A person's rule may allow it without a dialog.
  const asked = await askAboutCall(host, call, { calls, decided: decidedCalls(host, call.session ?? ''), waits: false })
  if (asked.how === 'decided') return preToolUseDecision(asked.decision)
  if (asked.how === 'pending') await withdraw(host, asked.request.id)
  return preToolUse('ask', reason)
}

async function askUnattended(call: ToolCall, calls: OpenCalls, host: HookHost): Promise<HookReply> {
  const { env, sleepers } = host
  const claude = env.CLAUDE_PID ?? String(findHostProcess()?.pid)
  const earlier = deferredBefore()
  if (earlier) return preToolUse('deny', oneAtATime(earlier))
  const announced = call.run === null && sleepers ? await sleepers.announce(call.session ?? '', call.cwd) : null
  const decided = decidedCalls(host, call.session ?? '')
  const asked = await askAboutCall(host, { ...call, run: call.run ?? announced }, { calls, decided })
  if (asked.how === 'pending') {
    const { id } = asked.request
    const other = calls.defer(id, asked.call, claude)
    if (other !== null) {
      calls.leave(id, asked.call)
      return preToolUse('deny', `${oneAtATime(other)} ${id} stays open for it.`)
    }
    if (announced !== null) await sleepers?.sleep(announced)
    return preToolUse('defer', `${id} waits for a person. ${whatNext(call, announced)}`)
  }
  if (announced !== null) await sleepers?.end(announced)
  return asked.how === 'decided'
    ? preToolUseDecision(asked.decision)
    : preToolUse('deny', 'Not run: the request was withdrawn before a person decided.')

  /** Claude comes back to one deferred call only, and forgets the others. */
  function deferredBefore(): string | null {
    return calls.list().find(({ id, deferredBy }) => deferredBy === claude && id !== call.id)?.request ?? null
  }
}

function oneAtATime(request: string): string {
  return `Not run: another call of this message waits for a person (${request}). Make this call again afterwards.`
}

function whatNext({ run, session }: ToolCall, announced: string | null): string {
  if (run !== null || announced !== null) return 'Beckon continues the session once it is answered.'
  return `Once it is answered, run: claude -p --resume ${session}`
}

async function withdraw(host: HookHost, id: string): Promise<void> {
  const { hub } = await host.open()
  await hub.cancel(id, { reason: "No rule covers it: it is asked in Claude's dialog" })
}
