import { accessSync, constants, existsSync, readSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { ReadStream } from 'node:tty'
import { describeStartError } from '../../system/processes/start-error.ts'
import type { Agent, AgentListener } from './agent.ts'
import type { Exit } from './frames.ts'
import { inputWaitOf } from './input-wait.ts'
import { inputClosed, TerminalInput } from './pty-input.ts'
import { createModes, prepareTerminal } from './pty-modes.ts'
import { loadTerminals, type Terminals } from './pty-native.ts'
import type { HolderSpec, WindowSize } from './spec.ts'

// An agent that needs a terminal: stdin, stdout and stderr are the same pseudo-terminal, and the agent leads a session on
// it. What it prints is one stream, with the line ends of a terminal.

/** Starts the agent on a pseudo-terminal of this size. */
export function startWithTerminal(spec: HolderSpec, size: WindowSize, listener: AgentListener): Agent {
  try {
    refuseUnstartable(spec)
    return start(loadTerminals(), spec, size, listener)
  } catch (error) {
    const reason = describeStartError(error, spec.command[0] ?? '')
    setImmediate(() => listener.onExit({ code: null, signal: null, error: reason }))
    return {
      ...{ pid: null, pause() {}, resume() {}, endInput() {}, resize() {} },
      write: (_, done) => done(inputClosed()),
      inputWait: () => 'busy',
      readOutput: done => done(true),
    }
  }
}

function start(
  terminals: Terminals,
  { command, cwd, stdin }: HolderSpec,
  { columns, rows }: WindowSize,
  { onOutput, onExit }: AgentListener,
): Agent {
  const [shell, ...args] = [...shellFor(stdin), ...command]
  const { fd, pid, pty } = terminals.fork({ file: shell, args, env: environment(), cwd, columns, rows, onExit: onEnd })
  const output = new ReadStream(fd)
  const input = new TerminalInput(fd)
  const modes = createModes(pty)
  let ended: Exit | null = null
  let closed = false
  output.on('data', bytes => onOutput('out', bytes))
  // The kernel reports the end of a terminal as an error.
  output.on('error', () => output.destroy())
  output.on('close', () => {
    closed = true
    input.close()
    if (ended) onExit(ended)
  })
  const [pause, resume] = [() => output.pause(), () => output.resume()]
  return { pid, pause, resume, write, endInput, inputWait, readOutput, resize }

  /** Waits for the end of the output, as with pipes: a child in the background may still print. */
  function onEnd(code: number, signal: number) {
    ended = signal ? { code: null, signal: signalName(signal), error: null } : { code, signal: null, error: null }
    if (closed) onExit(ended)
    else if (process.platform === 'darwin') closeWhenQuiet(output)
  }

  /** A program that reads single keys may do so in a process that is none of its children, as tmux does. */
  function inputWait() {
    const wait = inputWaitOf(pid, pty)
    return wait === 'busy' && modes.areForKeys() ? 'unknown' : wait
  }

  function write(bytes: Buffer, done: (error?: Error | null) => void) {
    input.write(bytes, done)
  }

  /** Only a terminal in line mode has an end of input. */
  function endInput() {
    input.end(modes.setLineMode)
  }

  /** Directly: the kernel passes on what was printed a moment later, or as soon as somebody reads. */
  function readOutput(done: (all: boolean) => void) {
    let bytes: Buffer | null = null
    do {
      if (closed || output.isPaused()) return done(false)
      bytes = readSome(fd)
      if (bytes) onOutput('out', bytes)
    } while (bytes)
    done(true)
  }

  function resize(to: WindowSize) {
    if (!closed && to.columns > 0 && to.rows > 0) terminals.resize(fd, to.columns, to.rows)
  }
}

// A shell prepares the terminal and then becomes the agent. Bash where it exists, because other shells drop variables with
// unusual names.
function shellFor(stdin: HolderSpec['stdin']): [string, ...string[]] {
  const script = `${prepareTerminal}; exec "$@"${stdin === 'none' ? ' </dev/null' : ''}`
  return existsSync('/bin/bash') ? ['/bin/bash', '--posix', '-c', script, 'sh'] : ['/bin/sh', '-c', script, 'sh']
}

/** Without the variables that describe the window we were started from. */
function environment(): string[] {
  const { COLUMNS: _, LINES: __, ...env } = process.env
  return Object.entries({ ...env, TERM: env.TERM || 'xterm-256color' }).map(([name, value]) => `${name}=${value}`)
}

/** macOS does not always report the end of the output, so it counts as complete after some silence. */
function closeWhenQuiet(output: ReadStream) {
  let seen = -1
  const timer = setInterval(() => {
    if (!output.isPaused() && output.bytesRead === seen) output.destroy()
    if (output.destroyed) clearInterval(timer)
    seen = output.bytesRead
  }, 200)
}

/** The shell would print the error on the agent's terminal; we report it to the person. */
function refuseUnstartable({ command: [file = ''], cwd }: HolderSpec): void {
  const folders = file.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  const found = folders.map(folder => resolve(cwd, join(folder, file))).filter(path => existsSync(path))
  const files = found.filter(path => statSync(path).isFile())
  if (file === '' || files.length === 0 || !existsSync(cwd)) throw Object.assign(new Error(), { code: 'ENOENT' })
  if (!files.some(isExecutable)) throw Object.assign(new Error(), { code: 'EACCES' })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // For root, access() may allow everything.
    return (statSync(path).mode & 0o111) !== 0
  } catch {
    return false
  }
}

const chunkBytes = 64 * 1_024

/** Null when there is nothing to read now. */
function readSome(fd: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(chunkBytes)
  try {
    const count = readSync(fd, bytes)
    return count === 0 ? null : bytes.subarray(0, count)
  } catch {
    return null
  }
}

function signalName(number: number): string {
  return Object.entries(system.signals).find(([, known]) => known === number)?.[0] ?? `signal ${number}`
}
