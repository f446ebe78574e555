import type { Json } from '../protocol/canonical-json.ts'

// An agent's host tells us of a call before it happens: by a hook, or by asking for permission. Doors turn what their host
// says into a ToolCall; the rest of this room plans it, asks about it, and says what became of it.

export interface ToolCall {
  /** The name of the agent, such as claude-code. */
  readonly agent: string
  /** The agent's own name for its session. */
  readonly session: string | null
  /** The host's id of this one call; where the host gives none, something that no other call has. */
  readonly id: string
  readonly tool: string
  readonly input: Json
  readonly cwd: string
  /** The run that the agent works in. */
  readonly run: string | null
}

/** What the host is told. Without a decision the call still waits for a person. */
export type Decision =
  | {
      readonly behavior: 'allow'
      /** The input to run it with, where it is not the agent's own: changed, or with a person's answers in it. */
      readonly input: Json | null
      readonly note: string | null
    }
  | { readonly behavior: 'deny'; readonly message: string }

/** What a yes to the call is bound to, beside the action. */
export function boundCall({ session, id }: ToolCall) {
  return { session, id }
}
