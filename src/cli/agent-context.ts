import type { Request } from '../protocol/request.ts'
import { ancestors } from '../system/processes/ancestors.ts'
import type { Context } from './context.ts'

/** Whether an agent runs this command, by which marker we know, its name, and its run. */
export interface AgentContext {
  /** The environment variable that gives the agent away; null in a person's shell. */
  marker: string | null
  /** The ancestor that carries the marker, where this process does not carry it. */
  carrier: number | null
  name: string | null
  run: string | null
}

// Coding agents set these in the shells that they open.
const markers: Record<string, string | null> = {
  CLAUDECODE: 'claude-code',
  CODEX_SANDBOX: 'codex',
  CODEX_THREAD_ID: 'codex',
  OPENCODE: 'opencode',
  GEMINI_CLI: 'gemini',
  AI_AGENT: null,
}

export function agentContext({ env }: Pick<Context, 'env'>): AgentContext {
  const { run, carrier } = env.BECKON_RUN ? { run: env.BECKON_RUN, carrier: null } : runOfAncestors()
  const marker = Object.keys(markers).find(name => env[name])
  return {
    marker: run ? 'BECKON_RUN' : (marker ?? null),
    carrier,
    name: marker ? agentName(marker, env) : null,
    run,
  }
}

/** An agent's own requests: those of its run; without a run, those that it asked in this directory outside of any run. */
export function isOwn(request: Request, { run, name }: AgentContext, cwd: string): boolean {
  if (run !== null) return request.run === run
  return request.run === null && request.agent.cwd === cwd && request.agent.name === name
}

function agentName(marker: string, env: NodeJS.ProcessEnv): string {
  const given = (env[marker] ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return markers[marker] ?? (given.isWellFormed() && given ? given : 'agent')
}

/** An agent that removes BECKON_RUN from its own environment cannot remove it from the shell that started it. */
function runOfAncestors(): { run: string | null; carrier: number | null } {
  for (const { pid, variable } of ancestors()) {
    const run = variable('BECKON_RUN')
    if (run) return { run, carrier: pid }
  }
  return { run: null, carrier: null }
}
