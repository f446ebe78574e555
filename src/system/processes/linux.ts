import { readdirSync, readFileSync } from 'node:fs'
import type { Process, ProcessTable } from './entry.ts'
import { programName } from './program-name.ts'

export const linux: ProcessTable = { list, look, boot, terminal, looksFast: true, tellsSessions: true }

const passes = 5

function* list(): Generator<Process> {
  const seen = new Set<string>()
  // A process that forks and exits is gone by the time its pid is looked up, but its child is in the next listing.
  for (let pass = 0; pass < passes; pass += 1) {
    const fresh = readdirSync('/proc').filter(name => isNumber(name) && !seen.has(name))
    if (fresh.length === 0) return
    for (const name of fresh) {
      seen.add(name)
      const process = look(Number(name))
      if (process) yield process
    }
  }
}

function look(pid: number): Process | null {
  const stat = readStat(`/proc/${pid}`)
  if (!stat || stat.isKernelThread) return null
  if (!stat.isDead) return entry(pid, `/proc/${pid}`, stat)
  // A program whose first thread has exited looks like a zombie while its other threads still run.
  return stat.threads > 1 ? lookAtThreads(pid) : null
}

function lookAtThreads(pid: number): Process | null {
  const folders = (readEntry(() => readdirSync(`/proc/${pid}/task`)) ?? []).map(name => `/proc/${pid}/task/${name}`)
  for (const folder of folders) {
    const stat = readStat(folder)
    if (stat && !stat.isDead) return entry(pid, folder, stat)
  }
  return null
}

function entry(pid: number, folder: string, { parent, group, session, startedAt, stopped }: Stat): Process {
  let environment: string | null | undefined
  return {
    ...{ pid, parent, group, session, startedAt, stopped },
    leadsSession: session === pid,
    carries: run => readEnvironment()?.includes(`\0BECKON_RUN=${run}\0`) ?? false,
    variable,
    runs,
    words: () => readWords().slice(0, -1),
    name: () => programName(readWords()),
  }

  function variable(name: string): string | null {
    const [, value] = readEnvironment()?.split(`\0${name}=`, 2) ?? []
    return value?.slice(0, value.indexOf('\0')) ?? null
  }

  function runs(program: string): boolean {
    const [interpreter = '', file] = readWords()
    return file === program && /(^|\/)node$/.test(interpreter)
  }

  /** Every variable between two NULs. */
  function readEnvironment(): string | null {
    if (environment === undefined) {
      const content = readEntry(() => readFileSync(`${folder}/environ`, 'utf8'))
      environment = content === null ? null : `\0${content}\0`
    }
    return environment
  }

  function readWords(): string[] {
    return readEntry(() => readFileSync(`${folder}/cmdline`, 'utf8'))?.split('\0') ?? []
  }
}

type Stat = NonNullable<ReturnType<typeof readStat>>

const kernelThread = 0x200000

function readStat(folder: string) {
  const stat = readEntry(() => readFileSync(`${folder}/stat`, 'utf8'))
  if (!stat) return null
  // The command's name is in parentheses and may contain any character, parentheses too. These fields follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group, session] = fields
  return {
    isDead: state === 'Z' || state === 'X',
    isKernelThread: (Number(fields[6]) & kernelThread) !== 0,
    threads: Number(fields[17]),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: Number(fields[4]),
    startedAt: fields[19] ?? '',
    // A lowercase t means stopped by a debugger.
    stopped: state === 'T' || state === 't',
  }
}

function terminal(): number | null {
  return readStat('/proc/self')?.terminal || null
}

let bootId: string | undefined

function boot(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return bootId
}

const goneOrForeign = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']

/** Throws other errors: with too many files open, every process would look gone. */
function readEntry<Content>(read: () => Content): Content | null {
  try {
    return read()
  } catch (error) {
    if (goneOrForeign.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 48 && first <= 57
}
