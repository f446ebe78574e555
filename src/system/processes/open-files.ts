import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'

/** Other processes that have one of these files open, as far as this user may see. */
export function processesWithOpen(files: readonly string[]): { pid: number; command: string }[] {
  const there = files.filter(file => identityOf(file) !== null)
  const pids = process.platform === 'linux' ? searchDescriptors(there) : askLsof(there)
  return pids.filter(pid => pid !== process.pid).map(pid => ({ pid, command: commandOf(pid) }))
}

function searchDescriptors(files: readonly string[]): number[] {
  const wanted = new Set(files.map(identityOf))
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.filter(pid => descriptorsOf(pid).some(path => wanted.has(identityOf(path)))).map(Number)
}

/** Empty for processes that have ended, and for those of other users. */
function descriptorsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(fd => `/proc/${pid}/fd/${fd}`)
  } catch {
    return []
  }
}

/** It exits with 1 where nobody has them open; where there is no lsof, nobody can tell. */
function askLsof(files: readonly string[]): number[] {
  if (files.length === 0 || process.platform === 'win32') return []
  try {
    const output = execFileSync('lsof', ['-t', '--', ...files], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
