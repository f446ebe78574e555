import { randomUUID } from 'node:crypto'
import { isShellTool } from '../../approval/shell-tools.ts'
import type { Json } from '../../protocol/canonical-json.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { block, type Hook, type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf, textOf } from '../input.ts'
import { decideUnattended, type UnattendedCall } from '../unattended.ts'

// Codex tells PreToolUse of every command (tool_name Bash), and asks PermissionRequest before it would ask the person, such
// as for a command outside of its sandbox. It reads "allow" only together with a changed input, so a yes is silence. A no is
// exit code 2 with a reason on stderr: what a shell's start files print before us would make JSON on stdout unreadable, and
// Codex would run the command.

/** The hooks of Codex. */
export const codexHook: Hook = {
  wait: 570_000,
  answer(input, host) {
    const { hook_event_name: event = null } = fieldsOf(input)
    switch (event) {
      case 'PreToolUse':
        return beforeTool(callOf(input, host), host)
      case 'PermissionRequest':
        return permission(callOf(input, host), host)
      default:
        throw new BeckonError(
          'invalid',
          `Codex called the hook for ${JSON.stringify(event)}, which it does not answer.`,
        )
    }
  },
  refuse: (_, message) => block(message),
}

async function beforeTool(call: UnattendedCall, host: HookHost): Promise<HookReply> {
  // Codex asks for permission itself where its other tools need one.
  if (!isShellTool(call.tool)) return silence
  const decision = await decideUnattended(host, call)
  if (decision === null) return silence
  if (decision.behavior === 'deny') return block(decision.message)
  const { input, note } = decision
  const changed = input === null ? {} : { permissionDecision: 'allow', updatedInput: input }
  const noted = note === null ? {} : { additionalContext: `A person allowed this and says: ${note}` }
  if (input === null && note === null) return silence
  return say('PreToolUse', { ...changed, ...noted })
}

async function permission(call: UnattendedCall, host: HookHost): Promise<HookReply> {
  const decision = await decideUnattended(host, call, { asked: true })
  if (decision?.behavior === 'deny') return block(decision.message)
  // Codex cannot change a call when it asks for permission; what a person did not see must not run.
  if (decision?.input)
    return block(`Not run: a person changed it. Make this call instead: ${textOfInput(decision.input)}`)
  return say('PermissionRequest', { decision: { behavior: 'allow' } })
}

function callOf(input: unknown, { run }: HookHost): UnattendedCall {
  const fields = fieldsOf(input)
  return {
    agent: 'codex',
    session: textOf(fields, 'session_id'),
    id: typeof fields.tool_use_id === 'string' ? fields.tool_use_id : randomUUID(),
    tool: textOf(fields, 'tool_name'),
    input: fields.tool_input ?? null,
    cwd: textOf(fields, 'cwd'),
    run,
  }
}

function textOfInput(input: Json): string {
  const { command } = fieldsOf(input)
  return typeof command === 'string' ? command : JSON.stringify(input)
}

function say(hookEventName: string, fields: object): HookReply {
  return { output: { hookSpecificOutput: { hookEventName, ...fields } }, message: null, exitCode: 0 }
}
