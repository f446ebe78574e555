import type { Hmac } from '../approval/facts/hmac.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { CommandRule } from '../protocol/rule.ts'

// A hook is a program that an agent's host starts before it does something. It reads one JSON document and answers with
// another one, or with its exit code. Every host has its own documents; what a hook can reach is the same for all.

/** What a hook can reach. */
export interface HookHost {
  readonly env: NodeJS.ProcessEnv
  /** The folder that Beckon keeps its files in. */
  readonly home: string
  /** The run that the agent works in. */
  readonly run: string | null
  /** The id of the process that started the hook, read when it started: it may have ended since. */
  readonly parent: number
  /** Aborts when the host ends the hook, because it has its answer or gives up. */
  readonly signal: AbortSignal
  /** How long the hook may wait for a person, in milliseconds: less than the host's own limit. */
  readonly wait: number
  /** The rules that people keep in the hub. Opens no hub where nothing was ever stored. */
  rules(): Promise<readonly CommandRule[]>
  /** Opens the hub on first use. It is closed after the reply was written. */
  open(): Promise<OpenedHub>
  /** Whether a person reviews the work when the agent stops. */
  readonly reviews: boolean
  /** The changes in a directory since its last commit: a unified diff, and how much it is as Markdown. */
  changes(cwd: string): Promise<{ diff: string | null; context: string | null }>
  /** Continues sessions whose request is answered after their host has ended; null where nobody wants that. */
  readonly sleepers: Sleepers | null
}

export interface OpenedHub {
  readonly hub: HubApi
  readonly hmac: Hmac
}

/** Sessions that end while a request is open, and continue by themselves once it is answered. */
export interface Sleepers {
  /** Announces the session as a run, so that its requests can wake it; null where it could not be continued. */
  announce(session: string, cwd: string): Promise<string | null>
  /** The host ends now, and leaves a request open. */
  sleep(run: string): Promise<void>
  /** The request is decided, and the host goes on. */
  end(run: string): Promise<void>
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
