import type { Calls } from './calls.ts'
import type { Door, Reply } from './door.ts'
import type { Opencode } from './server.ts'

/** Follows what opencode asks in its own dialogs. */
export interface Answering {
  follow(type: string, properties: Record<string, unknown>): void
}

interface Permission {
  readonly id: string
  readonly sessionID: string
  readonly permission: string
  readonly patterns: readonly string[]
  readonly metadata: Record<string, unknown>
  readonly tool?: { readonly callID: string }
}

// Nobody reads a dialog and answers it in this time: a reply that comes sooner is a setting's (`opencode run` rejects, auto
// mode accepts), and approves nothing.
const shortestLook = 200

/** A dialog of opencode and the inbox race: the first answer wins, and the other one closes. */
export function answerPermissions(door: Door, opencode: Opencode, calls: Calls): Answering {
  const open = new Map<string, Permission & { askedAt: number }>()
  return {
    follow(type, properties) {
      if (type === 'permission.asked') void asked(properties as unknown as Permission)
      if (type === 'permission.replied') replied(properties as { requestID: string; reply: string })
    },
  }

  async function asked(permission: Permission) {
    const { id, sessionID, tool } = permission
    const call = calls.find(sessionID, tool?.callID)
    if (call?.state === 'approved') return opencode.replyToPermission(id, { reply: 'once' })
    open.set(id, { ...permission, askedAt: performance.now() })
    await new Promise(resolve => setTimeout(resolve, shortestLook))
    if (!open.has(id)) return
    const about = call ?? { tool: permission.permission, input: describe(permission), session: sessionID }
    const reply = await door.ask({ ...about, session: sessionID, id: call?.id ?? id }).catch(failed)
    // It was answered in opencode; or Beckon failed, and the dialog is still there.
    if (reply === null || reply.decision === 'withdrawn' || !open.has(id)) return
    if (call && reply.decision === 'allow' && !reply.input) call.state = 'approved'
    await opencode.replyToPermission(id, toReply(reply))
  }

  function replied({ requestID, reply }: { requestID: string; reply: string }) {
    const permission = open.get(requestID)
    open.delete(requestID)
    if (permission === undefined) return
    const { sessionID, tool, askedAt } = permission
    const call = calls.find(sessionID, tool?.callID)
    const isPerson = performance.now() - askedAt >= shortestLook
    if (call && permission.permission === 'bash' && isPerson && reply !== 'reject') call.state = 'approved'
    door.withdraw({ session: sessionID, call: call?.id ?? requestID })
  }

  async function failed(error: Error): Promise<null> {
    await opencode.log(error.message)
    return null
  }
}

function describe({ patterns, metadata }: Permission) {
  return { patterns, ...metadata }
}

function toReply({ decision, reason, input }: Reply): { reply: string; message?: string } {
  if (decision === 'allow' && !input) return { reply: 'once' }
  return { reply: 'reject', message: input ? changedCommand(input) : (reason ?? 'A person said no.') }
}

/** For the model, which has to make the call that the person wants. */
export function changedCommand(input: Record<string, unknown>): string {
  return `A person wants this command instead: ${JSON.stringify(input.command ?? input)}. It was not run. Call the tool with exactly that command.`
}
