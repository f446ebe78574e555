import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { invalid } from '../protocol/errors.ts'
import type { Context } from './context.ts'

export interface RunCommandOptions {
  /** What the command prints goes to our stderr: stdout is for one JSON document. */
  stdoutToStderr: boolean
}

// Rights of ours that are no business of the command.
const ownSecrets = ['BECKON_KEY', 'BECKON_TOKEN']
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs the command without a shell, with more variables in its environment. Its exit code, as a shell would tell it. */
export function runCommand(
  { env, cwd, isTerminal }: Context,
  [file = '', ...args]: readonly string[],
  variables: Record<string, string>,
  { stdoutToStderr }: RunCommandOptions,
): Promise<number> {
  const rest = Object.entries(env).filter(([name]) => !ownSecrets.includes(name))
  const child = spawn(file, args, {
    cwd,
    env: { ...Object.fromEntries(rest), ...variables },
    stdio: ['inherit', stdoutToStderr ? 2 : 'inherit', 'inherit'],
  })
  // A terminal sends Ctrl-C to the command as well; a second one would tell it to drop everything.
  const forward = (signal: NodeJS.Signals) => (isTerminal && signal === 'SIGINT') || child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  return new Promise<number>((resolve, reject) => {
    child.once('error', error => reject(cannotRun(file, error)))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? system.signals[signal] : 0)))
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward)
  })
}

/** Told before a person is asked for something that could not be used. */
export function needExecutable({ env, cwd }: Context, file: string): void {
  if (process.platform === 'win32') return
  const folders = file.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  const found = folders.some(folder => isExecutable(resolve(cwd, join(folder, file))))
  if (!found) throw invalid([{ path: 'command', message: `${file} is not found, or cannot be executed` }])
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The error of spawn carries the arguments; only what happened is told. */
function cannotRun(file: string, error: Error): Error {
  const code = 'code' in error ? String(error.code) : 'unknown error'
  return invalid([{ path: 'command', message: `${file} could not be run (${code})` }])
}
