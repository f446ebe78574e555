import { type ChildProcess, spawn } from 'node:child_process'
import { constants as system } from 'node:os'
import { findProgram } from '../approval/facts/programs.ts'
import { BeckonError, invalid } from '../protocol/errors.ts'
import { describeStartError } from '../system/processes/start-error.ts'
import type { Context } from './context.ts'

export interface RunCommandOptions {
  /** Sends the command's stdout to our stderr: our stdout is for one JSON document. */
  stdoutToStderr: boolean
  /** Where the command's program was found; else PATH says. */
  program?: string | null
}

// The command must not get our own rights.
const ownSecrets = ['BECKON_KEY', 'BECKON_TOKEN']
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs the command without a shell, with additional variables, and returns its exit code as a shell would. */
export function runCommand(
  { env, cwd, isTerminal }: Context,
  [file = '', ...args]: readonly string[],
  variables: Record<string, string>,
  { stdoutToStderr, program }: RunCommandOptions,
): Promise<number> {
  const rest = Object.entries(env).filter(([name]) => !ownSecrets.includes(name))
  // A terminal sends Ctrl-C to the command, too; a second SIGINT would make many programs skip their cleanup.
  const forward = (signal: NodeJS.Signals) => (isTerminal && signal === 'SIGINT') || child?.kill(signal)
  // Before the command starts: a signal that comes in that moment must not end us alone and leave the command behind.
  for (const signal of signals) process.on(signal, forward)
  let child: ChildProcess | null = null
  return new Promise<number>((resolve, reject) => {
    child = spawn(program ?? file, args, {
      cwd,
      // Programs with many names look at the one they were called by.
      argv0: file,
      env: { ...Object.fromEntries(rest), ...variables },
      stdio: ['inherit', stdoutToStderr ? 2 : 'inherit', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? system.signals[signal] : 0)))
  })
    .catch(error => {
      throw new BeckonError('invalid', describeStartError(error, file))
    })
    .finally(() => {
      for (const signal of signals) process.off(signal, forward)
    })
}

/** Checked before a person is asked for something that the command could not use. */
export function requireExecutable({ env, cwd }: Context, file: string): void {
  if (process.platform === 'win32') return
  if (!findProgram(file, cwd, env.PATH))
    throw invalid([{ path: 'command', message: `${file} does not exist, or is not executable` }])
}
