import { randomUUID } from 'node:crypto'
import type { ToolCall } from '../../tool-calls/tool-call.ts'
import { type DecidedCalls, decidedCallsOf } from '../decided-calls.ts'
import type { HookHost } from '../hook.ts'
import { fieldsOf, textOf } from '../input.ts'
import { type OpenCalls, openCallsOf } from '../open-calls.ts'

export const agentName = 'claude-code'

/** What Claude tells every hook. */
export interface Session {
  readonly id: string
  readonly cwd: string
  readonly transcript: string | undefined
}

export function eventOf(input: unknown): string | null {
  const { hook_event_name: event } = fieldsOf(input)
  return typeof event === 'string' ? event : null
}

export function sessionOf(input: unknown): Session {
  const fields = fieldsOf(input)
  const { transcript_path: path } = fields
  return {
    id: textOf(fields, 'session_id'),
    cwd: textOf(fields, 'cwd'),
    transcript: typeof path === 'string' ? path : undefined,
  }
}

export function callOf(input: unknown, id: string, run: string | null): ToolCall {
  const fields = fieldsOf(input)
  const { id: session, cwd } = sessionOf(input)
  return {
    agent: agentName,
    session,
    id,
    tool: textOf(fields, 'tool_name'),
    input: fields.tool_input ?? null,
    cwd,
    run,
  }
}

/** Claude does not say which call a dialog is about: nobody but this process can use the yes. */
export function idOfDialog(): string {
  return `${dialog}${randomUUID()}`
}

export function isOfDialog(id: string): boolean {
  return id.startsWith(dialog)
}

const dialog = 'hook:'

/** Whether a person sits at the terminal that Claude runs in. */
export function isAttended({ env }: Pick<HookHost, 'env'>): boolean {
  return env.CLAUDE_CODE_SESSION_ATTENDED === '1'
}

export function openCalls({ home }: Pick<HookHost, 'home'>, session: string): OpenCalls {
  return openCallsOf(home, agentName, session)
}

export function decidedCalls({ home }: Pick<HookHost, 'home'>, session: string): DecidedCalls {
  return decidedCallsOf(home, agentName, session)
}
