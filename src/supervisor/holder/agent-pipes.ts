import { spawn } from 'node:child_process'
import type { Agent, AgentListener } from './agent.ts'
import type { HolderSpec } from './spec.ts'
import { describeStartError } from './start-error.ts'

const quiet = 500

export function startWithPipes({ command, cwd, stdin }: HolderSpec, { onOutput, onExit }: AgentListener): Agent {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd,
    detached: true,
    stdio: [stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  let isPaused = false
  let heardAt = 0
  child.stdout?.on('data', (bytes: Buffer) => hear('out', bytes))
  child.stderr?.on('data', (bytes: Buffer) => hear('err', bytes))
  // A closed stdin is told to whoever writes into it.
  child.stdin?.on('error', () => {})
  child.on('error', error => onExit({ code: null, signal: null, error: describeStartError(error, file) }))
  child.on('close', (code, signal) => onExit({ code, signal, error: null }))
  // Something that it left behind may hold its output open for ever: what is silent then has nothing more to say.
  child.on('exit', (code, signal) => {
    heardAt = performance.now()
    const listening = setInterval(() => {
      if (isPaused || performance.now() - heardAt < quiet) return
      clearInterval(listening)
      onExit({ code, signal, error: null })
    }, quiet / 5)
    child.on('close', () => clearInterval(listening))
  })
  return { pid: child.pid ?? null, pause, resume, write, endInput, resize: () => {} }

  function hear(stream: 'out' | 'err', bytes: Buffer) {
    heardAt = performance.now()
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
    if (!child.stdin || child.stdin.destroyed) return done(new Error('The agent does not read any more.'))
    child.stdin.write(bytes, done)
  }

  function endInput() {
    child.stdin?.end()
  }
}
