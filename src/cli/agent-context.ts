import { readFileSync } from 'node:fs'
import { BeckonError } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Context } from './context.ts'

/** Whether an agent is speaking, by what sign, under which name, and in which run. */
export interface AgentContext {
  sign: string | null
  name: string | null
  run: string | null
}

// What coding agents set in the shells that they open.
const markers: Record<string, string | null> = {
  CLAUDECODE: 'claude-code',
  CODEX_SANDBOX: 'codex',
  CODEX_THREAD_ID: 'codex',
  OPENCODE: 'opencode',
  GEMINI_CLI: 'gemini',
  AI_AGENT: null,
}

export function agentContext({ env }: Pick<Context, 'env'>): AgentContext {
  const run = env.BECKON_RUN || runOfAncestors()
  const marker = Object.keys(markers).find(name => env[name])
  const sign = run ? 'BECKON_RUN' : (marker ?? null)
  return { sign, name: marker ? nameOf(marker, env) : null, run }
}

const settlingCommands = ['answer', 'skip', 'decline', 'inbox', 'kept', 'notify', 'restore', 'token']
const grantingCommands = ['rules add', 'rules remove']

/** Before the arguments are even understood. */
export function refuseAgentsFirst(context: Context): void {
  const [command = '', ...rest] = context.args
  const wantsHelp = rest.includes('--help') || rest.includes('-h')
  if (settlingCommands.includes(command) && !wantsHelp) refuseAgents(context, command)
  const verb = `${command} ${rest[0] ?? ''}`
  if (grantingCommands.includes(verb) && !wantsHelp) refuseAgents(context, verb)
}

/** What asks must not answer: checked first in every settling command, before anything is opened. */
export function refuseAgents(context: Context, command: string): void {
  const { sign } = agentContext(context)
  if (sign === null) return
  throw new BeckonError(
    'not_allowed',
    `${command} is for people, and this is an agent's shell (by ${sign}). Run it in a terminal of your own.`,
    { sign },
  )
}

/** Those of its run; without a run, those that this agent asked in this directory outside of any run. */
export function isOwn(request: Request, { run, name }: AgentContext, cwd: string): boolean {
  if (run !== null) return request.run === run
  return request.run === null && request.agent.cwd === cwd && request.agent.name === name
}

function nameOf(marker: string, env: NodeJS.ProcessEnv): string {
  const given = (env[marker] ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return markers[marker] ?? (given.isWellFormed() && given ? given : 'agent')
}

/** An agent that takes BECKON_RUN out of its own environment still has it in that of the shell it came from. */
function runOfAncestors(): string | null {
  if (process.platform === 'linux') return nearestRun(linuxProcess)
  if (process.platform === 'darwin') return nearestRun(macProcesses())
  return null
}

interface Ancestor {
  parent: number
  run: string | null
}

/** Walks up to init, or to a process that is not ours to look at. */
function nearestRun(look: (pid: number) => Ancestor | null): string | null {
  for (let pid = process.ppid; pid > 1; ) {
    const ancestor = look(pid)
    if (!ancestor) return null
    if (ancestor.run) return ancestor.run
    pid = ancestor.parent
  }
  return null
}

function linuxProcess(pid: number): Ancestor | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command's name stands in brackets and may contain anything, brackets too.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return { parent, run: environment.find(entry => entry.startsWith('BECKON_RUN='))?.slice(11) || null }
  } catch {
    return null
  }
}

/** One listing of everything: best effort, macOS shows the environment of one's own processes only. */
function macProcesses(): (pid: number) => Ancestor | null {
  try {
    // Loaded here alone: every command starts faster without it.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const listing = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,ppid=,command='], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    const lines = listing.split('\n').flatMap(line => {
      const [, pid, parent, rest = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid ? [[Number(pid), { parent: Number(parent), run: / BECKON_RUN=(\S+)/.exec(rest)?.[1] ?? null }]] : []
    }) as [number, Ancestor][]
    const processes = new Map(lines)
    return pid => processes.get(pid) ?? null
  } catch {
    return () => null
  }
}
