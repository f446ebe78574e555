import { block, type Hook, type HookReply } from '../hook.ts'
import { afterTool } from './after-tool.ts'
import { beforeTool } from './before-tool.ts'
import { eventOf } from './session.ts'

/** The hooks of Claude Code. */
export const claudeHook: Hook = {
  // Within the ten minutes that Claude gives a hook.
  wait: 570_000,

  async answer(input, host) {
    switch (eventOf(input)) {
      case 'PreToolUse':
        return beforeTool(input, host)
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return afterTool(input, host)
      case 'PermissionRequest':
        return (await import('./permission-request.ts')).onPermissionRequest(input, host)
      case 'Elicitation':
        return (await import('./elicitation.ts')).onElicitation(input, host)
      case 'Stop':
        return (await import('./review-stop.ts')).onStop(input, host)
      default:
        return block(`Claude called the hook for ${JSON.stringify(eventOf(input))}, which Beckon does not answer.`)
    }
  },

  /** What is over cannot be blocked, and an agent that cannot stop works for ever. */
  refuse(input, message): HookReply {
    switch (eventOf(input)) {
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return { output: null, message, exitCode: 0 }
      case 'Stop':
        return { output: { systemMessage: `Beckon: nobody reviewed the work. ${message}` }, message, exitCode: 0 }
      default:
        return block(message)
    }
  },
}
