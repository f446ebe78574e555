import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { freePort } from '../setup/postgres-server.ts'
import { deploy, startCaddy } from './proxies.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

export interface ComposeFile {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  networks: { default: { ipam: { config: { subnet: string }[] } } }
}

interface Service {
  image: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  [setting: string]: unknown
}

interface ComposedNode {
  name: string
  /** Ends it as a crash does, or as `docker compose stop` does. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts it again and waits until it is ready. */
  start(): Promise<void>
}

export interface Composed {
  url: string
  nodes: ComposedNode[]
  /** Ends the proxy and starts it again. */
  restartProxy(): Promise<void>
  stop(): Promise<void>
}

/** What a `${VARIABLE:?hint}` of the file stands for. */
export function readCompose(variables: Record<string, string>): ComposeFile {
  const text = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
  const filled = text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`compose.yaml asks for ${name}.`)
    return value
  })
  return parse(filled, { merge: true }) as ComposeFile
}

/**
 * The nodes and the proxy of compose.yaml as processes, with its commands, its environment and its Caddyfile. What a
 * container would have for itself is replaced: the folder, the port, and the name of the database's host.
 */
export async function startComposed(root: string, database: string, key: string): Promise<Composed> {
  const port = await freePort()
  const url = `https://localhost:${port}`
  const variables = { BECKON_PUBLIC_URL: url, POSTGRES_PASSWORD: 'unused', BECKON_KEY: key }
  const { services } = readCompose(variables)
  const ours = Object.entries(services).filter(([, { image }]) => image === 'beckon')
  const ports = await Promise.all(ours.map(() => freePort()))
  const nodes = ours.map(([name, service], i) => {
    const environment = { ...service.environment, BECKON_DB: database, BECKON_HOME: join(root, name) }
    return createNode(name, [...(service.command ?? []), `--port=${ports[i]}`], environment, ports[i] as number)
  })
  await Promise.all(nodes.map(node => node.start()))
  const startProxy = () => startCaddy('Caddyfile', { folder: join(root, 'proxy'), port, nodes: ports })
  let proxy = await startProxy()
  return {
    url,
    nodes,
    async restartProxy() {
      await proxy.stop()
      proxy = await startProxy()
    },
    async stop() {
      await proxy.stop()
      await Promise.all(nodes.map(node => node.end('SIGTERM')))
    },
  }
}

function createNode(
  name: string,
  args: readonly string[],
  environment: Record<string, string>,
  port: number,
): ComposedNode {
  mkdirSync(environment.BECKON_HOME as string, { mode: 0o700 })
  let child: ChildProcess | null = null
  return { name, start, end }

  async function start() {
    child = spawn(process.execPath, [launcher, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr?.on('data', bytes => {
      said = (said + bytes).slice(-2_000)
    })
    for (let tries = 0; ; tries += 1) {
      if (child.exitCode !== null || tries > 600) throw new Error(`${name} did not start: ${said}`)
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (reply?.ok) return
      await sleep(50)
    }
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM') {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = await exited
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`${name} ended with ${code} after SIGTERM.`)
  }
}
