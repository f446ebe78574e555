import { agentName } from './asker.ts'

// Hosts cut off calls that take too long, each after another time. These are below what was observed with the agents
// themselves; docs/agents.md has the versions.
const second = 1_000
const limits: Record<string, { plain: number; withProgress: number }> = {
  // None within 400 seconds; progress does not extend MCP_TOOL_TIMEOUT.
  'claude-code': { plain: 360 * second, withProgress: 360 * second },
  // Cut off at 300 seconds; progress is ignored.
  codex: { plain: 240 * second, withProgress: 240 * second },
  // Cut off at 60 seconds without progress.
  opencode: { plain: 45 * second, withProgress: 300 * second },
  // None within 150 seconds.
  gemini: { plain: 140 * second, withProgress: 140 * second },
}

/** For clients that we know nothing about: below the minute that the official SDKs allow. */
export const cautiousLimit = 45 * second

export interface LimitOptions {
  /** `--wait`. */
  readonly wait: number | null
  readonly env: NodeJS.ProcessEnv
}

/** How long a call may wait for a person before it returns a ticket, so that its host never cuts it off. */
export function hostLimit({ wait, env }: LimitOptions, client: string | null, hasProgress: boolean): number {
  if (wait !== null) return wait
  const told = toldBy(env.MCP_TOOL_TIMEOUT)
  if (told !== null) return told
  const known = limits[agentName(client)]
  return known ? known[hasProgress ? 'withProgress' : 'plain'] : cautiousLimit
}

const longest = 24 * 3_600 * second

/** Claude's own setting, in milliseconds. Storing a request and writing the result take time, too. */
function toldBy(timeout: string | undefined): number | null {
  if (timeout === undefined || !/^\d{1,15}$/.test(timeout.trim())) return null
  const all = Number(timeout)
  if (all === 0) return null
  return Math.min(longest, Math.max(all / 2, all - Math.max(3 * second, all / 5)))
}
