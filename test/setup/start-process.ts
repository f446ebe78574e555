import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Starts a program of the tests in a separate process with a message channel. Its imports use Node's compile cache:
 * with dozens of processes on a few cores, startup takes most of the time.
 */
export function startProcess(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return fork(file, args, {
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...env },
    // Do not pass on Vitest's own arguments.
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}
