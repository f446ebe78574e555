import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { startPostgres } from '../setup/postgres-server.ts'
import { startProcess } from '../setup/start-process.ts'
import { call } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Node {
  port: number
  child: ChildProcess
}

async function startNode(database: string, publicUrl: string): Promise<Node> {
  const child = startProcess(join(import.meta.dirname, 'processes', 'node.ts'), [database, publicUrl])
  cleanups.push(() => child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  return { port, child }
}

/** Sends every connection to the first server that accepts it, like a load balancer. */
async function startBalancer() {
  const nodes: Node[] = []
  const sockets = new Set<Socket>()
  const server = createServer(client => tryNext(client, [...nodes]))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { nodes, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }

  function tryNext(client: Socket, [node, ...others]: Node[]) {
    sockets.add(client)
    client.on('error', () => {})
    if (!node) return void client.destroy()
    const upstream = connect(node.port, '127.0.0.1')
    upstream.once('connect', () => {
      upstream.on('close', () => client.destroy())
      client.on('close', () => upstream.destroy())
      client.pipe(upstream).pipe(client)
    })
    upstream.once('error', () => (upstream.pending || upstream.connecting ? tryNext(client, others) : client.destroy()))
  }
}

/** Retries until it works; the key ensures that the request is created once. */
async function askWithRetries(hub: HubApi, key: string): Promise<string> {
  for (;;) {
    try {
      return (await hub.raise({ ...shipIt, context: key, key })).id
    } catch {
      await sleep(50)
    }
  }
}

async function waitsOn({ port }: Node, token: string): Promise<number> {
  const { text } = await call({ port }, 'GET', '/metrics', { token })
  return Number(/^beckon_waits_held (\d+)$/m.exec(text)?.[1])
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}

it('a wait survives the death of its server and a database crash, with asker and answerer on other servers', async () => {
  const postgres = await startPostgres()
  cleanups.push(() => postgres.stop())
  const database = await postgres.freshDatabase()
  const balancer = await startBalancer()
  const [a, b, c] = [
    await startNode(database, balancer.url),
    await startNode(database, balancer.url),
    await startNode(database, balancer.url),
  ]
  const local = await openLocalHub({ database, sweeps: false })
  cleanups.push(() => local.close())
  const { secret: ask } = await local.tokens.create({ scope: 'ask' })
  const { secret: answer } = await local.tokens.create({ scope: 'answer', name: 'person' })
  const open = (url: string, token: string) => {
    const client = createHttpHub({ url, token, agent: 'agent', directory: '/work' })
    cleanups.push(() => client.close())
    return client
  }
  const on = ({ port }: Node, token: string) => open(`http://127.0.0.1:${port}`, token)
  balancer.nodes.push(b, a, c)

  const seen: number[] = []
  const follower = open(balancer.url, answer)
  const ready = Promise.withResolvers<number>()
  const following = (async () => {
    for await (const event of follower.follow({ since: 0, onReady: ready.resolve })) seen.push(event.id)
  })()
  await ready.promise

  const { id } = await on(a, ask).raise(shipIt)
  const waiting = open(balancer.url, ask).wait(id)
  await until(async () => (await waitsOn(b, answer)) === 1)
  // Both write at the same time, so ids could be assigned in one order and committed in another.
  const writing = Promise.all(
    [a, c].flatMap((node, i) =>
      Array.from({ length: 3 }, async (_, j) => {
        const hub = on(node, ask)
        for (let n = 0; n < 15; n += 1) await askWithRetries(hub, `${i} ${j} ${n}`)
      }),
    ),
  )
  b.child.kill('SIGKILL')
  await once(b.child, 'exit')
  await until(async () => (await waitsOn(a, answer)) === 1)
  await postgres.restart()
  await writing
  for (let done = false; !done; ) {
    done = await on(c, answer)
      .answer(id, { value: 'yes' })
      .then(
        ({ won, replay }) => won || replay,
        () => false,
      )
  }
  expect(await waiting).toMatchObject({ status: 'answered', outcome: { by: 'person', channel: 'http' } })
  const all = (await local.events({ since: 0 })).map(event => event.id)
  expect(all.length).toBe(92)
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(all.length)
  expect(seen).toEqual(all)
  await follower.close()
  await following
}, 120_000)

it('a follower that loses two servers gets a late commit after the events committed before it', async () => {
  const postgres = await startPostgres()
  cleanups.push(() => postgres.stop())
  const database = await postgres.freshDatabase()
  const balancer = await startBalancer()
  const [a, b, c] = [
    await startNode(database, balancer.url),
    await startNode(database, balancer.url),
    await startNode(database, balancer.url),
  ]
  const local = await openLocalHub({ database, sweeps: false })
  cleanups.push(() => local.close())
  // Each client has its own token, so a blocked one does not block the others.
  const open = async (url: string) => {
    const { secret } = await local.tokens.create({ scope: 'answer', name: 'person' })
    const client = createHttpHub({ url, token: secret, agent: 'agent', directory: '/work' })
    cleanups.push(() => client.close())
    return client
  }
  const [onA, onC] = [await open(`http://127.0.0.1:${a.port}`), await open(`http://127.0.0.1:${c.port}`)]
  balancer.nodes.push(b, c, a)
  const { id } = await local.raise({ ...shipIt, context: 'early' })
  const seen: number[] = []
  const follower = await open(balancer.url)
  const following = (async () => {
    for await (const event of follower.follow({ since: 0 })) seen.push(event.id)
  })()

  // A long transaction of another program that locks the row of the request.
  const elsewhere = new Client(database)
  elsewhere.on('error', () => {})
  await elsewhere.connect()
  cleanups.push(() => elsewhere.end())
  await elsewhere.query('begin')
  await elsewhere.query('create table beckon.of_somebody_else (id int)')
  await elsewhere.query('select id from beckon.requests where id = $1 for update', [id])
  const answering = onA.answer(id, { value: 'yes' })
  await until(async () => {
    const { rows } = await elsewhere.query('select count(*)::int as n from pg_locks where not granted')
    return rows[0].n > 0
  })

  // Later requests and their followers are not blocked, even when two servers die.
  const later: string[] = []
  for (const [i, dying] of [b, c].entries()) {
    for (let n = 0; n < 10; n += 1) later.push((await onC.raise({ ...shipIt, context: `${i} ${n}` })).id)
    await until(async () => seen.length >= later.length + 1)
    dying.child.kill('SIGKILL')
    await once(dying.child, 'exit')
  }
  expect(seen).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
  await elsewhere.query('commit')
  expect(await answering).toMatchObject({ won: true })
  await until(async () => seen.length >= 22)
  const all = await local.events({ since: 0 })
  expect(all.at(-1)).toMatchObject({ id: 22, type: 'request.answered', request: id })
  expect(seen).toEqual(all.map(event => event.id))
  await follower.close()
  await following
}, 120_000)
