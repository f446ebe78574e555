import { statSync } from 'node:fs'
import { lineage } from '../../system/processes/ancestors.ts'
import type { Process } from '../../system/processes/entry.ts'
import { processTable } from '../../system/processes/table.ts'

/** The program that wants an answer: the nearest ancestor in this session that is not a shell or another wrapper. */
export interface CallingProgram {
  pid: number
  startedAt: string
  name: string
  /** What started it; null where that is not known. */
  startedBy: string | null
  /** Whether it runs as root, which no program can pretend; null where the system does not say. */
  isRoot: boolean | null
}

const wrappers = /^(ba|da|z|fi|k|tc|c)?sh$|^(env|timeout|setsid|nice|npx|npm|node|beckon|beckon-askpass)(\.js)?$/

export function callingProgram(): CallingProgram | null {
  const [, ...ancestors] = lineage()
  const isProgram = ({ process }: (typeof ancestors)[number]) => !wrappers.test(process.name())
  const found = ancestors.find(one => one.isInSession && isProgram(one)) ?? ancestors[0]
  if (!found) return null
  const caller = found.process
  const starter = ancestors.slice(ancestors.indexOf(found) + 1).find(isProgram)?.process
  const { pid, startedAt } = caller
  return { pid, startedAt, name: caller.name(), startedBy: starter?.name() ?? null, isRoot: isRootProcess(caller) }
}

function isRootProcess({ pid }: Process): boolean | null {
  if (process.platform !== 'linux') return null
  try {
    return statSync(`/proc/${pid}`).uid === 0
  } catch {
    return null
  }
}

/** The names are harmless: the process table cleans them. */
export function describeCaller(caller: CallingProgram | null): string {
  if (caller === null) return 'A program that Beckon cannot identify asks for it.'
  const { name, pid, startedBy, isRoot } = caller
  const starter = startedBy === null ? '' : `, started by ${startedBy}`
  const pretends = name === 'sudo' && isRoot === false
  const warning = pretends ? ' It does not run as root, so it is not the real sudo.' : ''
  return `Asked by ${name} (process ${pid}${starter}).${warning}`
}

const checkEvery = 500

/** Aborts when the program has ended: nobody would take the answer. */
export function whenCallerEnds(caller: CallingProgram | null): { signal: AbortSignal; release(): void } {
  const ended = new AbortController()
  const parent = process.ppid
  const timer = setInterval(() => {
    // A parent that was killed may stay in the table until it is reaped; we are given to another one at once.
    if (process.ppid !== parent || (caller !== null && !isAlive(caller))) ended.abort(new CallerEnded())
  }, checkEvery)
  return { signal: ended.signal, release: () => clearInterval(timer) }
}

function isAlive({ pid, startedAt }: CallingProgram): boolean {
  const table = processTable()
  if (table.looksFast) return table.look(pid)?.startedAt === startedAt
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A program of another user, such as sudo, lives and takes no signal from us.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

class CallerEnded extends Error {
  override readonly name = 'AbortError'
}
