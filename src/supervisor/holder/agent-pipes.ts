import { spawn } from 'node:child_process'
import { describeStartError } from '../../system/processes/start-error.ts'
import type { Agent, AgentListener } from './agent.ts'
import { fileBehind, inputWaitOf } from './input-wait.ts'
import type { HolderSpec } from './spec.ts'

const quietTime = 500

export function startWithPipes(spec: HolderSpec, listener: AgentListener): Agent {
  try {
    return start(spec, listener)
  } catch (error) {
    // Some errors of spawn are thrown: arguments that are too long, for one.
    listener.onExit({ code: null, signal: null, error: describeStartError(error, spec.command[0] ?? '') })
    return {
      ...{ pid: null, pause() {}, resume() {}, endInput() {}, resize() {} },
      write: (_, done) => done(new Error('The agent did not start.')),
      inputWait: () => 'busy',
      readOutput: done => done(true),
    }
  }
}

function start({ command, cwd, stdin }: HolderSpec, { onOutput, onExit }: AgentListener): Agent {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd,
    detached: true,
    stdio: [stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  // Now: the agent may open another file in its place.
  const stdinFile = fileBehind(child.pid, 0)
  let isPaused = false
  let lastOutputAt = 0
  child.stdout?.on('data', (bytes: Buffer) => onData('out', bytes))
  child.stderr?.on('data', (bytes: Buffer) => onData('err', bytes))
  // Each write reports a closed stdin.
  child.stdin?.on('error', () => {})
  child.on('error', error => onExit({ code: null, signal: null, error: describeStartError(error, file) }))
  child.on('close', (code, signal) => onExit({ code, signal, error: null }))
  // A process that it left behind may hold its output open for ever. After some silence, the output counts as complete.
  child.on('exit', (code, signal) => {
    lastOutputAt = performance.now()
    const listening = setInterval(() => {
      if (isPaused || performance.now() - lastOutputAt < quietTime) return
      clearInterval(listening)
      onExit({ code, signal, error: null })
    }, quietTime / 5)
    child.on('close', () => clearInterval(listening))
  })
  const pid = child.pid ?? null
  const inputWait = () => inputWaitOf(pid, stdinFile)
  return { pid, pause, resume, write, endInput, inputWait, readOutput, resize: () => {} }

  function onData(stream: 'out' | 'err', bytes: Buffer) {
    lastOutputAt = performance.now()
    onOutput(stream, bytes)
  }

  function pause() {
    isPaused = true
    child.stdout?.pause()
    child.stderr?.pause()
  }

  function resume() {
    isPaused = false
    child.stdout?.resume()
    child.stderr?.resume()
  }

  function write(bytes: Buffer, done: (error?: Error | null) => void) {
    if (!child.stdin || child.stdin.destroyed) return done(new Error('The agent no longer reads its stdin.'))
    child.stdin.write(bytes, done)
  }

  function endInput() {
    child.stdin?.end()
  }

  /** Between two immediates, the event loop reads everything that has arrived. */
  function readOutput(done: (all: boolean) => void) {
    setImmediate(() => setImmediate(() => done(!isPaused)))
  }
}
