import { BeckonError } from '../../protocol/errors.ts'
import { wordsOf } from '../../system/processes/command-line.ts'
import { askAboutCall } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { leavesToSetup } from './beside-setup.ts'
import { permissionDecision } from './replies.ts'
import { callOf, idOfDialog, isAttended, openCalls, sessionOf } from './session.ts'
import { watchTranscript } from './transcript.ts'

/**
 * Claude shows its dialog, or would in a terminal. The same is asked in the hub, and the first answer wins: ours closes the
 * dialog; an answer in the terminal withdraws the request.
 */
export async function onPermissionRequest(input: unknown, host: HookHost): Promise<HookReply> {
  if (hasOurPermissionHost(host) || leavesToSetup(host)) return silence
  try {
    return await askBesideDialog(input, host)
  } catch (error) {
    // What the hub cannot store, such as a file of a megabyte, can still be answered in the dialog.
    if (!isAttended(host) || !(error instanceof BeckonError) || error.code !== 'invalid') throw error
    return { ...silence, message: error.message }
  }
}

async function askBesideDialog(input: unknown, host: HookHost): Promise<HookReply> {
  const call = callOf(input, idOfDialog(), host.run)
  const { id: session, transcript } = sessionOf(input)
  const calls = openCalls(host, session)
  const asked = await askAboutCall(host, call, {
    calls,
    answeredElsewhere: watchTranscript(transcript, call),
    withdrawnAtLimit: isAttended(host) ? "The hook's time is up. Claude's dialog is still open." : undefined,
  })
  if (asked.how === 'withdrawn') return silence
  if (asked.how === 'decided') return permissionDecision(asked.decision)
  const { id } = asked.request
  calls.leave(id, asked.call)
  return permissionDecision({ behavior: 'deny', message: ticketFor(id) })
}

function ticketFor(id: string): string {
  return `Not run: ${id} still waits for a person. Run "beckon wait ${id}" to wait for them, then make exactly the same call again.`
}

/** Then Claude asks both at the same time. The permission tool knows the id of the call, so it asks, and the hook does not. */
function hasOurPermissionHost({ env }: HookHost): boolean {
  return /--permission-prompt-tool[= ]mcp__(plugin_)?\w*beckon\w*__permission\b/.test(wordsOf(env.CLAUDE_PID).join(' '))
}
