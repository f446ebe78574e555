import type { Hmac } from '../approval/facts/hmac.ts'
import type { UserRule } from '../guard/index.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Rule } from '../protocol/rule.ts'

// A hook is a program that an agent's host starts before it does something. It reads one JSON document and answers with
// another one, or with its exit code. Every host has its own documents; what a hook can reach is the same for all.

/** What a hook can reach. */
export interface HookHost {
  readonly env: NodeJS.ProcessEnv
  /** The folder that Beckon keeps its files in. */
  readonly home: string
  /** The run that the agent works in. */
  readonly run: string | null
  /** Aborts when the host ends the hook, because it has its answer or gives up. */
  readonly signal: AbortSignal
  /** How long the hook may wait for a person, in milliseconds: less than the host's own limit. */
  readonly wait: number
  /** People's rules and the project's. Opens no hub where nothing was ever stored. */
  rules(cwd: string): Promise<readonly (UserRule | Rule)[]>
  /** Opens the hub on first use. It is closed after the reply was written. */
  open(): Promise<OpenedHub>
}

export interface OpenedHub {
  readonly hub: HubApi
  readonly hmac: Hmac
}

/** What the host reads. */
export interface HookReply {
  /** One JSON document; null to say nothing. */
  readonly output: object | null
  /** For people and for hosts that read it: one line. */
  readonly message: string | null
  readonly exitCode: number
}

export interface Hook {
  /** The longest that it waits by default, in milliseconds: less than what setup gives it. */
  readonly wait: number
  answer(input: unknown, host: HookHost): Promise<HookReply>
  /** What is said when the hook itself fails: what cannot be judged is blocked. */
  refuse(input: unknown, message: string): HookReply
}

export const silence: HookReply = { output: null, message: null, exitCode: 0 }

/** To Claude, Codex and Gemini, exit code 2 blocks the call, and stderr says why. */
export function block(message: string): HookReply {
  return { output: null, message, exitCode: 2 }
}
