import { randomUUID } from 'node:crypto'
import { isShellTool } from '../../approval/shell-tools.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { type Hook, type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf, textOf } from '../input.ts'
import { decideUnattended, type UnattendedCall } from '../unattended.ts'

// Gemini CLI tells BeforeTool of every call, without an id. A changed input replaces the whole input. JSON on stdout counts
// whatever the exit code is; see src/setup/hook-command.ts.

/** The hook of Gemini CLI. */
export const geminiHook: Hook = {
  wait: 570_000,
  async answer(input, host) {
    const fields = fieldsOf(input)
    if (fields.hook_event_name !== 'BeforeTool') {
      const event = JSON.stringify(fields.hook_event_name ?? null)
      throw new BeckonError('invalid', `Gemini CLI called the hook for ${event}, which it does not answer.`)
    }
    const call: UnattendedCall = {
      agent: 'gemini',
      session: textOf(fields, 'session_id'),
      id: randomUUID(),
      tool: textOf(fields, 'tool_name'),
      input: fields.tool_input ?? null,
      cwd: textOf(fields, 'cwd'),
      run: host.run,
    }
    // Its other tools are Gemini's to ask about.
    return isShellTool(call.tool) ? beforeTool(call, host) : silence
  },
  refuse: (_, message) => deny(message),
}

async function beforeTool(call: UnattendedCall, host: HookHost): Promise<HookReply> {
  const decision = await decideUnattended(host, call)
  if (decision === null) return silence
  if (decision.behavior === 'deny') return deny(decision.message)
  const { input, note } = decision
  return say({
    decision: 'allow',
    ...(note === null ? {} : { systemMessage: `A person allowed this and says: ${note}` }),
    ...(input === null ? {} : { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input } }),
  })
}

function deny(reason: string): HookReply {
  return say({ decision: 'deny', reason: `Beckon: ${reason}` })
}

function say(output: object): HookReply {
  return { output, message: null, exitCode: 0 }
}
