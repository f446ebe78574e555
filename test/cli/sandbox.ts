import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import type { AskInput, Request } from '../../src/protocol/index.ts'

/** The command as it is installed; `npm test` builds it first. */
export const launcher = join(import.meta.dirname, '../../bin/beckon.js')
export const askpass = join(import.meta.dirname, '../../bin/beckon-askpass.js')
export const askUserQuestion = join(import.meta.dirname, '../../bin/ask-user-question.js')

export interface Result {
  code: number
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  result: Promise<Result>
  /** The output so far. */
  written(): { stdout: string; stderr: string }
}

interface RunOptions {
  env?: Record<string, string | undefined>
  input?: string | Buffer
  cwd?: string
  /** A command other than beckon. */
  launcher?: string
}

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A separate home and working directory, real processes of the command, and a hub to inspect the results. */
export async function createSandbox() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-cli-')))
  const home = join(root, 'home')
  const cwd = mkdtempSync(join(root, 'work-'))
  const hub = await openHub({
    env: { BECKON_HOME: home, BECKON_USER: 'tester' },
    caller: { directory: cwd, agent: 'shell' },
  })
  cleanups.push(async () => {
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  })
  const env: Record<string, string | undefined> = { BECKON_HOME: home, BECKON_USER: 'person', BECKON_WAIT: '20s' }

  return { root, home, cwd, env, hub, start, run, pending, ask: (input: AskInput) => hub.raise(input), json, atEnd }

  function start(args: string[], options: RunOptions = {}): Running {
    const child = spawn(process.execPath, [options.launcher ?? launcher, ...args], {
      cwd: options.cwd ?? cwd,
      env: { ...process.env, ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    cleanups.push(() => child.kill('SIGKILL'))
    const written = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', chunk => {
      written.stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', chunk => {
      written.stderr += chunk
    })
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    const result = once(child, 'close').then(([code, signal]) => ({ code: signal ?? code, ...written }))
    return { child, result, written: () => written }
  }

  function run(args: string[], options: RunOptions = {}): Promise<Result> {
    return start(args, options).result
  }

  async function json([command = '', ...rest]: string[], options: RunOptions = {}) {
    const { code, stdout, stderr } = await run([command, '--json', ...rest], options)
    return { code, stderr, document: stdout === '' ? null : JSON.parse(stdout) }
  }

  function atEnd(cleanup: () => unknown): void {
    cleanups.push(cleanup)
  }

  /** Waits for a pending request and returns the first one. */
  async function pending(): Promise<Request> {
    return until(async () => (await hub.list()).requests[0], 'a pending request')
  }
}

/** Polls until the result is truthy; less often if looking takes long, as it does where it starts a process. */
export async function until<T>(look: () => T | Promise<T>, what: string, timeout = 15_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeout
  for (;;) {
    const began = performance.now()
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(Math.min(Math.max(15, 4 * (performance.now() - began)), 200))
  }
}
