import { isatty, type ReadStream, type WriteStream } from 'node:tty'

/** The outside world of a command: everything it reads from or writes to is passed in. */
export interface Context {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>> & { fd?: number }
  stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>
  cwd: string
  /** A person can be asked right here: what they type comes in, and they see stderr. */
  isTerminal: boolean
  now: () => number
  /** What the command ends with; each sets it, main exits with it. */
  exitCode: number
}

export function processContext(): Context {
  const { stdout, stderr, env } = process
  // A closed pipe is told to whoever writes, and must not end the process by itself.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return {
    args: process.argv.slice(2),
    env,
    // Opened by whoever reads: most commands do not, and it takes its time.
    get stdin() {
      const { stdin } = process
      // A terminal that is closed under us is told by a signal.
      if (stdin.listenerCount('error') === 0) stdin.on('error', () => {})
      return stdin
    },
    stdout,
    stderr,
    cwd: currentDirectory(env),
    isTerminal: isatty(0) && Boolean(stderr.isTTY),
    now: Date.now,
    exitCode: 0,
  }
}

/** A directory that was removed under us has no name any more; what the shell calls it is good enough for help. */
function currentDirectory(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch {
    return env.PWD ?? '/'
  }
}
