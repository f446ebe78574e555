import { BeckonError } from '../protocol/errors.ts'
import { lineage } from './processes/ancestors.ts'
import { programName } from './processes/program-name.ts'
import { holderFile } from './programs.ts'

/** Whether this process works for an agent, by which marker and process we know, the agent's name, and its run. */
export interface AgentContext {
  /** The environment variable, or the program, that gives the agent away; null for a person's process. */
  marker: string | null
  /** The process that carries the marker and passed it on: the agent, or the shell that it opened. */
  carrier: Carrier | null
  name: string | null
  run: string | null
  /** The agent's session, so that two agents in one directory share nothing; null inside a run, which is a session itself. */
  session: string | null
  /** The agent's own name for its session, which outlives its process; for agents that tell none, their process. */
  sessionName: string | null
}

export interface Carrier {
  pid: number
  name: string
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

/**
 * A process can remove a variable from its own environment, but not from the environments of those that started it. So
 * `BECKON_RUN` counts in every ancestor. The other markers count up to the leader of the session: a terminal that a
 * person opened has a session of its own, whatever started the program that shows it.
 */
export function agentContext(env: NodeJS.ProcessEnv = process.env): AgentContext {
  const descent = readDescent(env)
  const run = findMarker(descent, ['BECKON_RUN'])
  const inSession = descent.filter(({ isInSession }) => isInSession)
  const agent = findMarker(inSession, Object.keys(markers)) ?? findProgram(inSession)
  const found = run ?? agent
  const name = agent && agentName(agent)
  const session = run === null && agent ? sessionOf(descent, agent) : null
  return {
    marker: found?.marker ?? null,
    carrier: found?.carrier ?? null,
    name,
    run: run?.value ?? null,
    session,
    sessionName: name && (toldSession(inSession, name) ?? (namelessSessions.includes(name) ? session : null)),
  }
}

const shells = /^(ba|da|z|fi|k|tc|c)?sh$|^(env|timeout|setsid|nice|npx|npm|node)$/

// Claude tells its shells, hooks and MCP servers which session they work for, Codex only its shells, Gemini only its hooks.
// opencode tells nobody; our plugin tells its shells.
const sessionVariables: Record<string, string> = {
  'claude-code': 'CLAUDE_CODE_SESSION_ID',
  codex: 'CODEX_THREAD_ID',
  gemini: 'GEMINI_SESSION_ID',
  opencode: 'OPENCODE_SESSION_ID',
}

// Two of them in one directory are told apart by their processes.
const namelessSessions = ['gemini', 'opencode']

/** An agent that another one started inherits its variables: only its own counts. */
function toldSession(descent: readonly Ancestor[], agent: string): string | null {
  const own = sessionVariables[agent]
  const variables = own ? [own] : Object.values(sessionVariables)
  for (const { variable } of descent) {
    const found = variables.map(variable).find(Boolean)
    if (found?.isWellFormed() && !/\p{C}/u.test(found)) return found.slice(0, 200)
  }
  return null
}

/**
 * Codex names its session. The others are known by their process: the one that passed the marker on, or the one that
 * opened that shell, because agents open a new shell for each command.
 */
function sessionOf(descent: readonly Ancestor[], { marker, value, carrier }: Found): string {
  if (marker === 'CODEX_THREAD_ID') return value.slice(0, 200)
  const at = descent.findIndex(({ pid }) => pid === carrier.pid)
  const isShell = at === 0 || shells.test(carrier.name)
  const agent = (isShell ? descent[at + 1] : undefined) ?? descent[at]
  return `${agent?.pid ?? carrier.pid}:${agent?.startedAt ?? ''}`
}

/** This process first. Its environment is what it was started with, and what it or its caller added since. */
function readDescent(env: NodeJS.ProcessEnv): Ancestor[] {
  const [own, ...ancestors] = Array.from(lineage(), ({ process, isInSession }): Ancestor => {
    const { pid, name, variable, runs, startedAt } = process
    return { pid, startedAt, name, variable, isInSession, isHolder: () => runs(holderFile()) }
  })
  const self = own ?? { pid: process.pid, name: () => programName(process.argv), variable: () => null }
  const variable = (name: string) => env[name] || self.variable(name)
  return [{ ...self, variable, isInSession: true, isHolder: () => false }, ...ancestors]
}

interface Ancestor {
  pid: number
  startedAt?: string
  name(): string
  variable(name: string): string | null
  isInSession: boolean
  isHolder(): boolean
}

interface Found {
  marker: string
  value: string
  carrier: Carrier
}

/** The marker of the nearest process that has one, and the farthest process that has the same: that one passed it on. */
function findMarker(descent: readonly Ancestor[], names: readonly string[]): Found | null {
  for (const nearest of descent) {
    const marker = names.find(name => nearest.variable(name))
    if (marker === undefined) continue
    const value = nearest.variable(marker) ?? ''
    // The holder of a run carries its marker, too, and is not what a person knows as the agent.
    const farthest = descent.findLast(one => one.variable(marker) === value && !one.isHolder()) ?? nearest
    return { marker, value, carrier: { pid: farthest.pid, name: farthest.name() } }
  }
  return null
}

// Some set their marker only for the shells that they open, and a shell may become the program that it starts.
const agentPrograms: Record<string, string> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
}

function findProgram([, ...ancestors]: readonly Ancestor[]): Found | null {
  for (const { pid, name } of ancestors) {
    const program = name()
    if (Object.hasOwn(agentPrograms, program)) {
      return { marker: program, value: agentPrograms[program] ?? '', carrier: { pid, name: program } }
    }
  }
  return null
}

function agentName({ marker, value }: Found): string {
  const given = value.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return markers[marker] ?? (given.isWellFormed() && given ? given : 'agent')
}

/** The refusal of what only a person may do. It names the process to look at, and not what an agent would have to hide. */
export function notForAgents(what: string, { carrier }: AgentContext): BeckonError {
  return new BeckonError(
    'not_allowed',
    `"${what}" is for people, and this shell belongs to an agent: ${describeCarrier(carrier)}. Run it in a terminal of your own.`,
    { process: carrier },
  )
}

export function notOwnRequest(id: string, { carrier }: AgentContext, verb = 'withdraw'): BeckonError {
  return new BeckonError(
    'not_allowed',
    `Somebody else asked ${id}, and this shell belongs to an agent: ${describeCarrier(carrier)}. An agent may only ${verb} its own requests.`,
    { process: carrier },
  )
}

export function notOwnValue(id: string, { carrier }: AgentContext): BeckonError {
  return new BeckonError(
    'not_allowed',
    `What was given to ${id} is for the run that asked, and this shell is not inside it: ${describeCarrier(carrier)}.`,
    { process: carrier },
  )
}

export function notOwnRun(id: string, verb: string): BeckonError {
  return new BeckonError(
    'not_allowed',
    `An agent may ${verb} only the run that it works in, and this shell is not inside ${id}. Run it in a terminal of your own.`,
  )
}

/** `process 4242 (claude)` */
export function describeCarrier(carrier: Carrier | null): string {
  return carrier === null ? 'an unknown process' : `process ${carrier.pid} (${carrier.name})`
}
