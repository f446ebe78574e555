import { spawn } from 'node:child_process'
import type { Exit, Stream } from './frames.ts'
import type { HolderSpec } from './spec.ts'

export interface Agent {
  pid: number | null
  /** Reads no more of its output: it waits when the pipe is full. */
  pause(): void
  resume(): void
  write(bytes: Buffer, done: (error?: Error | null) => void): void
  endInput(): void
}

interface Listener {
  onOutput(stream: Stream, bytes: Buffer): void
  /** After the last of its output. */
  onExit(exit: Exit): void
}

/** Starts the agent in a session of its own, so that it can be stopped with all of its children. */
export function startAgent({ command, cwd, stdin }: HolderSpec, { onOutput, onExit }: Listener): Agent {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd,
    detached: true,
    stdio: [stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  child.stdout?.on('data', (bytes: Buffer) => onOutput('out', bytes))
  child.stderr?.on('data', (bytes: Buffer) => onOutput('err', bytes))
  // A closed stdin is told to whoever writes into it.
  child.stdin?.on('error', () => {})
  child.on('error', error => onExit({ code: null, signal: null, error: reasonOf(error, file) }))
  child.on('close', (code, signal) => onExit({ code, signal, error: null }))
  return { pid: child.pid ?? null, pause, resume, write, endInput }

  function pause() {
    child.stdout?.pause()
    child.stderr?.pause()
  }

  function resume() {
    child.stdout?.resume()
    child.stderr?.resume()
  }

  function write(bytes: Buffer, done: (error?: Error | null) => void) {
    if (!child.stdin || child.stdin.destroyed) return done(new Error('The agent does not read any more.'))
    child.stdin.write(bytes, done)
  }

  function endInput() {
    child.stdin?.end()
  }
}

function reasonOf(error: NodeJS.ErrnoException, file: string): string {
  if (error.code === 'ENOENT') return `There is no command ${file}, or no such directory.`
  if (error.code === 'EACCES') return `${file} may not be executed.`
  return error.message
}
