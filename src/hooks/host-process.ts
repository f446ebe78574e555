import { lineage } from '../system/processes/ancestors.ts'
import { identify, isSameProcess, type ProcessId } from '../system/processes/identity.ts'

const shells = /^(ba|da|z|fi|k|tc|c)?sh$|^(env|timeout|nice)$/

/** The process that started this hook, past the shells in between; null where the system does not show it. */
export function findHostProcess(): ProcessId | null {
  for (const { process: ancestor } of lineage()) {
    if (ancestor.pid === process.pid || shells.test(ancestor.name())) continue
    return identify(ancestor.pid)
  }
  return null
}

/** Aborts when the host has ended, or the shell in between: nobody would take an answer. Codex kills its hooks. */
export function watchEnd(parent: number, every: number): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  const host = findHostProcess()
  const timer = setInterval(() => {
    if (process.ppid !== parent || (host !== null && !isSameProcess(host))) ended.abort()
  }, every)
  return { signal: ended.signal, stop: () => clearInterval(timer) }
}
