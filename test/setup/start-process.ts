import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Starts a program of the tests in a process of its own, with a channel for messages. What it imports is compiled
 * once and kept, where Node keeps such things: with dozens of processes on a few cores, starting is what takes time.
 */
export function startProcess(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return fork(file, args, {
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...env },
    // Those of Vitest are not for them.
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}
