import type { Json } from '../../protocol/canonical-json.ts'
import type { Decision } from '../../tool-calls/tool-call.ts'
import type { HookReply } from '../hook.ts'

// What Claude Code reads from the stdout of its hooks.

type PermissionDecision = 'allow' | 'deny' | 'ask' | 'defer'

export function preToolUse(permissionDecision: PermissionDecision, reason: string, input: Json = null): HookReply {
  return say('PreToolUse', {
    permissionDecision,
    permissionDecisionReason: reason,
    ...(input === null ? {} : { updatedInput: input }),
  })
}

export function preToolUseDecision(decision: Decision): HookReply {
  if (decision.behavior === 'deny') return preToolUse('deny', decision.message)
  return preToolUse('allow', allowed(decision), decision.input)
}

export function permissionDecision(decision: Decision): HookReply {
  if (decision.behavior === 'deny') return say('PermissionRequest', { decision })
  const { behavior, input } = decision
  return say('PermissionRequest', { decision: { behavior, ...(input === null ? {} : { updatedInput: input }) } })
}

export function elicitationResult(action: 'accept' | 'decline' | 'cancel', content?: object): HookReply {
  return say('Elicitation', { action, ...(content ? { content } : {}) })
}

/** Claude goes on with the reason as its next task. */
export function blockStop(reason: string): HookReply {
  return { output: { decision: 'block', reason }, message: null, exitCode: 0 }
}

function say(hookEventName: string, fields: object): HookReply {
  return { output: { hookSpecificOutput: { hookEventName, ...fields } }, message: null, exitCode: 0 }
}

function allowed({ note }: Extract<Decision, { behavior: 'allow' }>): string {
  return note === null ? 'Approved in Beckon.' : `Approved in Beckon, with a note: ${note}`
}
