import { limits } from '../protocol/limits.ts'
import { textProblem } from '../protocol/text.ts'
import { harmlessTitle } from '../text/harmless.ts'

/** Who asks, and for which of its calls. */
export interface Asker {
  /** Over HTTP its token names it. */
  readonly name: string | null
  /** Where it works; null where nobody told us. */
  readonly cwd: string | null
  readonly run: string | null
  /** The agent's session: its own name for it, or the process that it is. Asks of two sessions are never the same ask. */
  readonly session: string | null
  /** The session that an approval is bound to, as a command in the agent's shell would name it. */
  readonly boundTo: string | null
  /** The host's id of this very call; null where it gives none. */
  readonly call: string | null
}

/** What a server process knows of its host without a call. */
export interface Host {
  readonly cwd: string
  readonly run: string | null
  /** The agent's own name for its session. */
  readonly sessionName: string | null
  /** The process that the agent is. */
  readonly process: string | null
}

/** `_meta` of a call, which every host fills differently. */
export type Meta = Readonly<Record<string, unknown>> | undefined

export function askerOf(host: Host, client: string | null, meta: Meta): Asker {
  const thread = plainText(meta?.threadId)
  return {
    name: agentName(client),
    cwd: host.cwd,
    run: host.run,
    session: host.sessionName ?? thread ?? host.process,
    // Codex names its session to its shells; the shells of the others are known by their process.
    boundTo: host.run === null ? (thread ?? host.process) : null,
    call: plainText(meta?.['claudecode/toolUseId']) ?? plainText(meta?.callId),
  }
}

/** Over HTTP only the token and the call itself are known. */
export function remoteAsker(meta: Meta): Asker {
  const session = plainText(meta?.threadId)
  const call = plainText(meta?.['claudecode/toolUseId']) ?? plainText(meta?.callId)
  return { name: null, cwd: null, run: null, session, boundTo: session, call }
}

/** The fields of an ask that say who asks. */
export function askedBy({ name, cwd, run, session }: Asker) {
  const agent = { ...(name === null ? {} : { name }), ...(cwd === null ? {} : { cwd }) }
  return { agent, run, session }
}

// What agents call themselves as MCP clients, and what Beckon calls them everywhere.
const agents: [client: RegExp, name: string][] = [
  [/^claude/i, 'claude-code'],
  [/^codex/i, 'codex'],
  [/^opencode/i, 'opencode'],
  [/^gemini/i, 'gemini'],
]

export function agentName(client: string | null): string {
  const known = agents.find(([pattern]) => pattern.test(client ?? ''))
  if (known) return known[1]
  return plainText(harmlessTitle(client ?? '')) ?? 'mcp'
}

/** Text on one line that every store can take; null for anything else. */
function plainText(given: unknown): string | null {
  if (typeof given !== 'string' || textProblem(given, limits.text) !== null) return null
  const text = given.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return text === '' ? null : text.slice(0, limits.name).toWellFormed()
}
