import { spawn } from 'node:child_process'
import type { Agent, AgentListener } from './held-agent.ts'
import { whyNotStarted } from './not-started.ts'
import type { HolderSpec } from './spec.ts'

export function startWithPipes({ command, cwd, stdin }: HolderSpec, { onOutput, onExit }: AgentListener): Agent {
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
  child.on('error', error => onExit({ code: null, signal: null, error: whyNotStarted(error, file) }))
  child.on('close', (code, signal) => onExit({ code, signal, error: null }))
  return { pid: child.pid ?? null, pause, resume, write, endInput, resize: () => {} }

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
