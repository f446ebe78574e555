import { judgeCall } from '../tool-calls/judge-call.ts'
import type { Decision, ToolCall } from '../tool-calls/tool-call.ts'
import { askAboutCall } from './ask-about-call.ts'
import type { HookHost } from './hook.ts'
import { openCallsOf } from './open-calls.ts'

export interface UnattendedCall extends ToolCall {
  readonly session: string
}

/**
 * Decides about a call that nobody is there to be asked about by the host. Null where there is nothing to ask. When the
 * hook's time is up, the call is denied with a ticket: the same call again goes on waiting for the same request.
 */
export async function decideUnattended(
  host: HookHost,
  call: UnattendedCall,
  { asked = false }: { asked?: boolean } = {},
): Promise<Decision | null> {
  const { verdict, reason } = judgeCall(call, { env: host.env, rules: await host.rules() })
  if (verdict === 'deny') return { behavior: 'deny', message: `Refused: ${reason}` }
  if (verdict === 'allow' && !asked) return null
  return ask(host, call)
}

/** When the host itself asks for permission, what the guard allows is asked about, too. */
async function ask(host: HookHost, call: UnattendedCall): Promise<Decision> {
  const calls = openCallsOf(host.home, call.agent, call.session)
  const asked = await askAboutCall(host, call, { calls })
  switch (asked.how) {
    case 'decided':
      return asked.decision
    case 'withdrawn':
      return { behavior: 'deny', message: 'Not run: the agent no longer waited for an answer.' }
    case 'pending':
      calls.leave(asked.request.id, asked.call)
      return { behavior: 'deny', message: ticketFor(asked.request.id) }
  }
}

function ticketFor(id: string): string {
  return `Not run yet: nobody has answered so far, and ${id} stays open. Make exactly the same call again to go on waiting for it, or do something else first. Do not try it in another form.`
}
