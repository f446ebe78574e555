import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

// Linux counts processor time of other processes in hundredths of a second.
const ticksPerSecond = 100

/** Seconds of processor time that the processes have used; null where the system does not tell. */
export function processorTimeOf(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null
  return pids.reduce((sum, pid) => sum + secondsOf(pid), 0)
}

function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may have spaces: utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return 0
  }
}

/** Seconds that all processors of the machine have been busy. */
export function machineTime(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000
}
