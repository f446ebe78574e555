import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire, type Wire } from '../test/setup/wire.ts'
import { cyclesInProcess } from './cycles.ts'
import { type Databases, type Kind, openDatabases } from './databases.ts'
import { floorOf, perSecond } from './floor.ts'
import { question } from './processes/question.ts'
import { isWanted, median, percentile, progress, type Row, type Wanted } from './report.ts'

const duration = 2_000
// A server runs for days, so only its speed after warm-up counts. V8 compiles for about ten seconds.
const warmUp = 10_000
const coldOnes = 600
const rounds = 3
const kinds: Kind[] = ['SQLite', 'PostgreSQL']

const measures: Record<string, (kind: Kind, databases: Databases) => Promise<Row[]>> = {
  cycles: measureCycles,
  latency: measureLatency,
  memory: measureMemory,
  streams: measureFanOut,
}

/** Measures the server over HTTP, compared with the bare framework and the bare database. This process is the client. */
export async function benchServer({ only, on = 'sqlite' }: Wanted): Promise<Row[]> {
  const databases = await openDatabases()
  try {
    const rows: Row[] = isWanted(only, 'hello') ? await measureHello() : []
    for (const kind of kinds.filter(kind => isWanted(on, kind))) {
      for (const [name, measure] of Object.entries(measures)) {
        if (isWanted(only, name)) rows.push(...(await measure(kind, databases)))
      }
    }
    return rows
  } finally {
    await databases.close()
  }
}

interface Hello {
  port: number
}

interface Server extends Hello {
  ask: string
  answer: string
}

async function measureHello(): Promise<Row[]> {
  progress('hello, world')
  const rows: Row[] = []
  for (const [name, path] of [
    ['node:http', '/bare'],
    ['Hono', '/hello'],
  ] as const) {
    for (const atATime of [1, 50]) {
      const rate = await bareCalls(path, atATime)
      rows.push({ group: 'hello, world', name: `${name}, ${atATime} at a time`, value: rate, unit: 'calls/s' })
    }
  }
  return rows
}

async function bareCalls(path: string, atATime: number): Promise<number> {
  const { child, server } = await start<Hello>('hello')
  const rate = await repeat(server.port, atATime, 1, async ([wire]) => wire?.call('GET', path, 'none'))
  await stop(child)
  return rate
}

/** One cycle is three calls (ask, wait, answer) and two durable commits. */
async function measureCycles(kind: Kind, databases: Databases): Promise<Row[]> {
  const settings = [
    { atATime: 1, atLeast: 0.35 },
    { atATime: 50, atLeast: 2 },
  ]
  const floors: number[] = []
  const bounds: number[] = []
  const rates = settings.map((): number[] => [])
  for (let round = 1; round <= rounds; round += 1) {
    bounds.push(await boundOf(kind, databases))
    for (const [i, { atATime }] of settings.entries()) {
      progress(`${kind}: cycles over HTTP, ${atATime} at a time, round ${round} of ${rounds}`)
      floors.push(await floorOf(kind, databases))
      const database = await databases.fresh(kind)
      const { child, server } = await start<Server>('server', database)
      rates[i]?.push(await repeat(server.port, atATime, 2, (wires, n) => cycle(wires, n, server)))
      await stop(child)
      await databases.drop(kind, database)
    }
    floors.push(await floorOf(kind, databases))
  }
  const floor = median(floors)
  const group = `${kind}: full cycles over HTTP`
  return [
    { group: `${kind}: the floor F`, name: 'bare driver, insert + update', value: floor, unit: 'pairs/s' },
    ...settings.map(({ atATime, atLeast }, i): Row => {
      const value = median(rates[i] ?? [])
      const goal = { of: 'ratio', atLeast } as const
      return { group, name: `${atATime} at a time`, value, unit: 'cycles/s', floor, goal }
    }),
    { group, name: 'what its parts would leave, 50 at a time', value: median(bounds), unit: 'cycles/s', floor },
  ]
}

/** The rate of one thread that spends on a cycle what three calls of bare node:http and a cycle in process take. */
async function boundOf(kind: Kind, databases: Databases): Promise<number> {
  progress(`${kind}: three bare calls and a cycle in process`)
  const calls = await bareCalls('/bare', 50)
  const database = await databases.fresh(kind)
  const cycles = await cyclesInProcess(database, 50)
  await databases.drop(kind, database)
  return 1 / (3 / calls + 1 / cycles)
}

async function cycle([asker, person]: Wire[], n: number, { ask, answer }: Server) {
  const asked = await asker?.call('POST', '/api/requests', ask, question(n))
  const id = idOf(asked?.body)
  const settled = asker?.call('GET', `/api/requests/${id}?wait=30`, ask)
  const answered = await person?.call('PUT', `/api/requests/${id}/answer`, answer, { value: 'PostgreSQL' })
  const got = await settled
  if (answered?.status !== 200 || !got?.body.includes('"answered"')) throw new Error(`${answered?.body} ${got?.body}`)
}

async function measureLatency(kind: Kind, databases: Databases): Promise<Row[]> {
  progress(`${kind}: latency over HTTP`)
  const { child, server } = await start<Server>('server', await databases.fresh(kind))
  const [asker, person] = await Promise.all([openWire(server.port), openWire(server.port)])
  const times: number[] = []
  for (let n = 0; n < coldOnes + 400; n += 1) {
    const id = idOf((await asker.call('POST', '/api/requests', server.ask, question(n))).body)
    const settled = asker.call('GET', `/api/requests/${id}?wait=30`, server.ask)
    await sleep(2)
    const began = performance.now()
    const answering = person.call('PUT', `/api/requests/${id}/answer`, server.answer, { value: 'PostgreSQL' })
    await settled
    if (n >= coldOnes) times.push(performance.now() - began)
    await answering
  }
  for (const wire of [asker, person]) wire.close()
  await stop(child)
  const group = `${kind}: from answer to resume, over HTTP`
  const at = (share: number) => percentile(times, share)
  return [
    { group, name: 'p50', value: at(0.5), unit: 'ms', goal: { of: 'value', atMost: 1.2 } },
    { group, name: 'p99', value: at(0.99), unit: 'ms' },
  ]
}

/** Memory per connection that waits for an answer, and per connection that streams events. */
async function measureMemory(kind: Kind, databases: Databases): Promise<Row[]> {
  const rows: Row[] = []
  const waits = (id: string) => ({ path: `/api/requests/${id}?wait=600`, headers: '' })
  const streams = () => ({ path: '/api/events', headers: 'accept: text/event-stream\r\n' })
  for (const [name, count, call] of [
    ['10,000 that wait', 10_000, waits],
    ['1,000 streams', 1_000, streams],
  ] as const) {
    progress(`${kind}: ${name}`)
    const { child, server } = await start<Server>('server', await databases.fresh(kind))
    const wire = await openWire(server.port)
    const id = idOf((await wire.call('POST', '/api/requests', server.ask, question(1))).body)
    // The first connections pay one-time costs.
    const first = await openMany(server, 200, call(id))
    const before = await memoryOf(child)
    const held = await openMany(server, count, call(id))
    const after = await memoryOf(child)
    for (const one of [...first, ...held, wire]) one.close()
    await stop(child)
    const goal = { of: 'value', atMost: 15 } as const
    rows.push({
      group: `${kind}: memory per held connection`,
      name,
      value: (after - before) / count / 1_000,
      unit: 'kB',
      goal,
    })
  }
  return rows
}

/** With one asker, each event is written separately to each stream; with fifty, simultaneous events share a write. */
async function measureFanOut(kind: Kind, databases: Databases): Promise<Row[]> {
  const group = `${kind}: events to 1,000 streams`
  const goal = { of: 'value', atLeast: 50_000 } as const
  const busy = await fanOut(kind, databases, 50)
  const single = await fanOut(kind, databases, 1)
  return [
    { group, name: 'asked 50 at a time', value: busy, unit: 'messages/s', goal },
    { group, name: 'asked 1 at a time', value: single, unit: 'messages/s' },
  ]
}

async function fanOut(kind: Kind, databases: Databases, atATime: number): Promise<number> {
  const streams = 1_000
  const events = atATime * Math.ceil(300 / atATime)
  progress(`${kind}: ${events} events to ${streams} streams, ${atATime} at a time`)
  const { child, server } = await start<Server>('server', await databases.fresh(kind))
  const wires = await openMany(server, streams, { path: '/api/events', headers: 'accept: text/event-stream\r\n' })
  const askers = await Promise.all(Array.from({ length: atATime }, () => openWire(server.port)))
  let received = 0
  const all = Promise.withResolvers<void>()
  for (const { socket } of wires) {
    socket.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf('\nid: '); at >= 0; at = bytes.indexOf('\nid: ', at + 1)) received += 1
      if (bytes.indexOf('id: ') === 0) received += 1
      if (received >= streams * events) all.resolve()
    })
  }
  const began = performance.now()
  let n = 0
  const ask = async (wire: Wire) => {
    while (n < events) {
      n += 1
      await wire.call('POST', '/api/requests', server.ask, question(n))
    }
  }
  await Promise.all([...askers.map(ask), all.promise])
  const value = perSecond(streams * events, began)
  for (const wire of [...wires, ...askers]) wire.close()
  await stop(child)
  return value
}

/** Opens connections in batches and waits until the server has accepted them. */
async function openMany(server: Server, count: number, { path, headers }: { path: string; headers: string }) {
  const wires: Wire[] = []
  while (wires.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(200, count - wires.length) }, () => openWire(server.port)),
    )
    for (const wire of some)
      wire.send('GET', path, server.ask.length > 0 && headers ? server.answer : server.ask, headers)
    if (headers) await Promise.all(some.map(wire => once(wire.socket, 'data')))
    wires.push(...some)
  }
  await sleep(500)
  return wires
}

/** Runs `atATime` loops concurrently, first to warm up and then for the measured time. */
async function repeat(
  port: number,
  atATime: number,
  wiresEach: number,
  work: (wires: Wire[], n: number) => Promise<unknown>,
): Promise<number> {
  const loops = await Promise.all(
    Array.from({ length: atATime }, () => Promise.all(Array.from({ length: wiresEach }, () => openWire(port)))),
  )
  let n = 0
  const loopsFor = async (time: number) => {
    const began = performance.now()
    let done = 0
    await Promise.all(
      loops.map(async wires => {
        while (performance.now() - began < time) {
          n += 1
          await work(wires, n)
          done += 1
        }
      }),
    )
    return perSecond(done, began)
  }
  await loopsFor(warmUp)
  const rate = await loopsFor(duration)
  for (const wire of loops.flat()) wire.close()
  return rate
}

function idOf(body = ''): string {
  const [, id] = /"id":"(req_\w+)"/.exec(body) ?? []
  if (!id) throw new Error(`no id in ${body}`)
  return id
}

async function start<Message>(name: string, ...args: string[]): Promise<{ child: ChildProcess; server: Message }> {
  const child = fork(join(import.meta.dirname, 'processes', `${name}.ts`), args, { execArgv: ['--expose-gc'] })
  const [server] = (await once(child, 'message')) as [Message]
  return { child, server }
}

async function memoryOf(child: ChildProcess): Promise<number> {
  child.send('memory')
  const [{ memory }] = (await once(child, 'message')) as [{ memory: number }]
  return memory
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.send('stop')
  await ended
}
