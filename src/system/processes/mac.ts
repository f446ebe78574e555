import type { Process, ProcessTable } from './entry.ts'
import { programName } from './program-name.ts'

/** Best effort: macOS shows the environment of the user's own processes only, and not of programs that ship with it. */
export const mac: ProcessTable = { list, look, boot, terminal: () => null, looksFast: false, tellsSessions: false }

function list(): Process[] {
  return ps(['-A'])
}

function look(pid: number): Process | null {
  return ps(['-p', String(pid)])[0] ?? null
}

function ps(which: string[]): Process[] {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command='
  return run('ps', [...which, '-E', '-ww', '-o', columns])
    .split('\n')
    .flatMap(readLine)
}

const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s(.*)$/

function readLine(text: string): Process[] {
  const [, pid, parent, group, state = '', startedAt = '', rest = ''] = line.exec(text) ?? []
  if (!pid || state.startsWith('Z')) return []
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // ps prints 0 for every session on macOS; the process group of the session's leader has the same number.
      session: Number(group),
      leadsSession: state.includes('s'),
      startedAt,
      stopped: state.startsWith('T'),
      carries: run => ` ${rest} `.includes(` BECKON_RUN=${run} `),
      variable: name => ` ${rest} `.split(` ${name}=`)[1]?.split(' ')[0] ?? null,
      runs: program => {
        const [interpreter = '', file] = rest.split(' ')
        return file === program && /(^|\/)node$/.test(interpreter)
      },
      words: () => rest.split(' '),
      // The environment follows the words, and a word may contain spaces: two words are all that can be told.
      name: () => programName(rest.split(' ').slice(0, 2)),
    },
  ]
}

let bootId: string | undefined

function boot(): string {
  bootId ??= run('sysctl', ['-n', 'kern.bootsessionuuid']).trim()
  return bootId
}

function run(command: string, args: string[]): string {
  try {
    // One language and one time zone, because start times are compared.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    // Loaded here alone: every command of the CLI starts faster without it.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync(command, args, {
      encoding: 'utf8',
      env,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    // This is how ps says that it found no process.
    const { status, stdout } = error as { status?: number; stdout?: string }
    if (status === 1 && stdout === '') return ''
    throw error
  }
}
