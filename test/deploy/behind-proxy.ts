import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openHub } from '../../src/open-hub.ts'
import { freePort } from '../setup/postgres-server.ts'
import { type RunningProxy, startCaddy, startNginx } from './proxies.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

export interface Example {
  name: string
  file: string
  start: typeof startCaddy
  /** The path below which the example serves Beckon. */
  base: string
}

export const examples: Example[] = [
  { name: 'Caddy', file: 'Caddyfile', start: startCaddy, base: '' },
  { name: 'nginx', file: 'nginx.conf', start: startNginx, base: '' },
  { name: 'Caddy, below a path', file: 'Caddyfile.sub-path', start: startCaddy, base: '/beckon' },
  { name: 'nginx, below a path that it removes', file: 'nginx.sub-path.conf', start: startNginx, base: '/beckon' },
]

export type Behind = Awaited<ReturnType<typeof startBehind>>

/** A real `beckon serve` behind the proxy of an example, and a hub on the same database. */
export async function startBehind({ file, start, base }: Example) {
  const root = mkdtempSync(join(tmpdir(), 'beckon-proxy-'))
  const env = { BECKON_HOME: join(root, 'home'), BECKON_USER: 'mina' }
  const hub = await openHub({ env, caller: { directory: '/srv/shop', agent: 'claude-code' } })
  const [port, nodePort] = [await freePort(), await freePort()]
  const url = `https://localhost:${port}${base}`
  const { child, link } = await startNode(['--port', String(nodePort), '--public-url', url], env)
  const proxy: RunningProxy = await start(file, { folder: join(root, 'proxy'), port, nodes: [nodePort] })
  let isClosed = false
  return { url, port, nodePort, base, hub, home: env.BECKON_HOME, link, token, close }

  async function token(scope: 'ask' | 'answer' | 'admin', name: string = scope): Promise<string> {
    return (await hub.tokens.create({ scope, name })).secret
  }

  async function close() {
    if (isClosed) return
    isClosed = true
    await proxy.stop()
    child.kill('SIGTERM')
    await once(child, 'close')
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function startNode(args: string[], env: Record<string, string>): Promise<{ child: ChildProcess; link: string }> {
  const child = spawn(process.execPath, [launcher, 'serve', '--trusted-proxy', '127.0.0.1', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('#signin=')) return { child, link: line.trim() }
  }
  throw new Error('beckon serve ended before it printed a link.')
}
