import { withdrawAbandoned } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { contentOf } from '../open-calls.ts'
import { callOf, openCalls, sessionOf } from './session.ts'

/**
 * A tool has run. If its dialog is still open in the hub, it was answered in the terminal: the oldest such request of this
 * session is withdrawn. Most calls were never asked about, so the hub stays closed unless a file says otherwise.
 */
export async function afterTool(input: unknown, host: HookHost): Promise<HookReply> {
  const calls = openCalls(host, sessionOf(input).id)
  if (calls.list().length === 0) return silence
  const { hub } = await host.open()
  await withdrawAbandoned(hub, calls)
  const content = contentOf(callOf(input, '', host.run))
  const same = calls.list().find(call => call.content === content)
  if (same) {
    await hub.cancel(same.request, { reason: 'It was answered in the terminal' })
    calls.remove(same.request)
  }
  return silence
}
