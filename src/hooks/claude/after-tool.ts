import { withdraw, withdrawAbandoned } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf } from '../input.ts'
import { contentOf, type OpenCall } from '../open-calls.ts'
import { callOf, decidedCalls, isOfDialog, openCalls, sessionOf } from './session.ts'

/**
 * A tool has run. If its dialog is still open in the hub, it was answered in the terminal: the oldest such request of this
 * session is withdrawn. Most calls were never asked about, so the hub stays closed unless a file says otherwise.
 */
export async function afterTool(input: unknown, host: HookHost): Promise<HookReply> {
  const { id: session } = sessionOf(input)
  const { tool_use_id: id } = fieldsOf(input)
  if (typeof id === 'string') decidedCalls(host, session).forget(id)
  const calls = openCalls(host, session)
  if (calls.list().length === 0) return silence
  const { hub } = await host.open()
  await withdrawAbandoned(hub, calls)
  const content = contentOf(callOf(input, '', host.run))
  const same = calls.list().find(call => call.content === content && !isAnother(call, id))
  if (same) {
    await withdraw(hub, same.request, 'It was answered in the terminal')
    calls.remove(same.request)
  }
  return silence
}

/** The hook of an equal call, such as one of a sub-agent, still waits for a person. */
function isAnother({ id, waiter }: OpenCall, ran: unknown): boolean {
  return waiter !== null && !isOfDialog(id) && id !== ran
}
