import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded, killAndWait } from '../setup/marked-processes.ts'
import { freePort } from '../setup/postgres-server.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

export interface Node {
  name: string
  port: number
  kill(): Promise<void>
  freeze(ms: number): Promise<void>
  /** Ends it as an operator does. */
  stop(): Promise<void>
  /** Since when it should be able to serve: its last start or thaw. */
  readonly since: number
}

/** A `beckon serve` that is started again whenever it ends, always on the same port. */
export async function startNode(
  name: string,
  root: string,
  env: NodeJS.ProcessEnv,
  report: (violation: string) => void,
): Promise<Node> {
  const port = await freePort()
  const home = join(root, name)
  mkdirSync(home, { mode: 0o700 })
  let over = false
  let since = 0
  let child = start()
  return {
    name,
    port,
    kill,
    freeze,
    stop,
    get since() {
      return since
    },
  }

  function start(): ChildProcess {
    since = performance.now()
    const node = spawn(process.execPath, [launcher, 'serve', '--port', String(port), '--no-link'], {
      cwd: home,
      env: { ...env, BECKON_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    let isReady = false
    node.stdout.on('data', () => {
      isReady = true
    })
    node.stderr.on('data', bytes => {
      said = (said + bytes).slice(-2_000)
    })
    node.on('exit', async (code, signal) => {
      if (over) return
      // Without a database it does not start; whoever runs it tries again.
      const expected = signal === 'SIGKILL' || !isReady
      if (!expected) report(`${name} ended by itself (${code ?? signal}): ${said.trim()}`)
      if (code !== null) await sleep(300)
      if (!over) child = start()
    })
    return node
  }

  async function kill() {
    await killAndWait(child)
  }

  async function freeze(ms: number) {
    const frozen = child
    frozen.kill('SIGSTOP')
    await sleep(ms)
    frozen.kill('SIGCONT')
    since = performance.now()
  }

  async function stop() {
    over = true
    child.kill('SIGTERM')
    for (let i = 0; i < 600 && !hasEnded(child); i += 1) await sleep(50)
    if (hasEnded(child)) return
    report(`${name} did not end within 30 s of SIGTERM`)
    await killAndWait(child)
  }
}
