import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as restate from '@restatedev/restate-sdk'
import { questionOf } from './question.mjs'

/** Restate: a handler waits for an awakeable; resolving it over the server's HTTP ingress is the answer. */
export async function openPeer({ database, onResume }) {
  const asked = new Map()
  const ended = new Map()
  const [servicePort, ingress, admin, fabric] = await portsOf(`${database}.ports`)
  const server = startServer(database, { ingress, admin, fabric })
  await restate.serve({ services: [asker()], port: servicePort, logger: () => {} })
  await reachable(`http://127.0.0.1:${admin}/health`)
  await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${servicePort}`, force: true })
  await reachable(`http://127.0.0.1:${ingress}/restate/health`)
  return { ask, answer, close, server: server.pid }

  function asker() {
    return restate.service({
      name: 'asker',
      handlers: {
        ask: async (ctx, { name, question }) => {
          const { id, promise } = ctx.awakeable()
          await ctx.run('publish the question', () => void asked.get(name)?.(id, question))
          await promise
          onResume(id)
          ended.get(id)?.()
        },
      },
    })
  }

  async function ask(n) {
    const name = `ask-${process.pid}-${n}`
    const isAsked = new Promise(resolve => asked.set(name, resolve))
    await post(`http://127.0.0.1:${ingress}/asker/ask/send`, { name, question: questionOf(n) })
    const id = await isAsked
    asked.delete(name)
    return id
  }

  async function answer(id) {
    const isEnded = new Promise(resolve => ended.set(id, resolve))
    await post(`http://127.0.0.1:${ingress}/restate/awakeables/${id}/resolve`, 'PostgreSQL')
    await isEnded
    ended.delete(id)
  }

  async function close() {
    const ended = once(server, 'exit')
    server.kill()
    await ended
  }
}

/** With room for more invocations at once than the thousand of its default; the rest is as it comes. */
function startServer(folder, { ingress, admin, fabric }) {
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`
  const program = createRequire(import.meta.url).resolve(`${platform}/bin/restate-server`)
  const env = {
    ...process.env,
    RESTATE_BASE_DIR: folder,
    RESTATE_NODE_NAME: 'bench',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_BIND_PORT: String(fabric),
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '20000',
    // It calls nobody.
    RESTATE_DISABLE_TELEMETRY: 'true',
    DO_NOT_TRACK: '1',
    RESTATE_LOG_FILTER: 'error',
  }
  const server = spawn(program, ['--no-logo'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  process.on('exit', () => server.kill('SIGKILL'))
  return server
}

/** The same after a restart: the server calls those that wait at the address that they had. */
async function portsOf(file) {
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await freePorts(4)))
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(probes.map(probe => once(probe, 'listening')))
  const ports = probes.map(probe => probe.address().port)
  await Promise.all(probes.map(probe => once(probe.close(), 'close')))
  return ports
}

async function reachable(url) {
  for (const began = performance.now(); ; await sleep(10)) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    if (performance.now() - began > 30_000) throw new Error(`${url} cannot be reached`)
  }
}

async function post(url, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
