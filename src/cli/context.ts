import { readFileSync } from 'node:fs'
import type { ReadStream, WriteStream } from 'node:tty'
import { isTerminal, standardOutput } from './output/standard-output.ts'

/** The outside world of a command: everything that it reads from or writes to is passed in. */
export interface Context {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>> & { fd?: number }
  stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>
  cwd: string
  /** A person can be prompted here: stdin and stderr are a terminal. */
  isTerminal: boolean
  now: () => number
  /** Every command sets it; main exits with it. */
  exitCode: number
}

export function processContext(): Context {
  const { env } = process
  readTokenFile(env)
  const stderr = standardOutput(2)
  return {
    args: process.argv.slice(2),
    env,
    // Opened on first use: most commands do not read it, and opening is slow.
    get stdin() {
      const { stdin } = process
      // A signal reports a closed terminal.
      if (stdin.listenerCount('error') === 0) stdin.on('error', () => {})
      return stdin
    },
    stdout: standardOutput(1),
    stderr,
    cwd: currentDirectory(env),
    isTerminal: isTerminal(0) && Boolean(stderr.isTTY),
    now: Date.now,
    exitCode: 0,
  }
}

/** For a command that a program starts: it never prompts. */
export function silentContext(): Context {
  const { env } = process
  readTokenFile(env)
  return {
    args: process.argv.slice(2),
    env,
    get stdin() {
      return process.stdin
    },
    stdout: standardOutput(1),
    stderr: standardOutput(2),
    cwd: currentDirectory(env),
    isTerminal: false,
    now: Date.now,
    exitCode: 0,
  }
}

/** A file keeps the token out of the configuration of the agents that start us, and out of the process table. */
function readTokenFile(env: NodeJS.ProcessEnv): void {
  if (!env.BECKON_URL || env.BECKON_TOKEN || !env.BECKON_TOKEN_FILE) return
  try {
    env.BECKON_TOKEN = readFileSync(env.BECKON_TOKEN_FILE, 'utf8').trim()
  } catch {
    // The hub says that it needs a token.
  }
}

/** A directory that was removed has no name; the shell's name for it is good enough. */
function currentDirectory(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch {
    return env.PWD ?? '/'
  }
}
