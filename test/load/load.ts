import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire, type Wire } from '../setup/wire.ts'

export interface LoadServer {
  port: number
  ask: string
  answer: string
  /** In bytes: what the process has taken of the machine, or what it holds, without garbage. */
  memory(of?: 'held' | 'taken'): Promise<number>
}

export interface Load {
  waiting: number
  streams: number
  /** How many are answered one after the other at `perSecond`; the rest is answered at once. */
  slowly: number
  perSecond: number
}

export interface Found {
  /** The ids whose waiter got no answer or a wrong one. */
  wrong: string[]
  /** The number of streams that missed or repeated an event. */
  torn: number
  memoryBefore: number
  memoryAfter: number
  /** The time from an answer until its waiter has it, in milliseconds. */
  latencies: number[]
}

/** Many agents wait and many pages stream events, each on its own connection, while a person answers. */
export async function runLoad(server: LoadServer, load: Load, log: (text: string) => void): Promise<Found> {
  const ids = await askMany(server, load.waiting)
  log(`${ids.length} asked`)
  const streams = await openStreams(server, load.streams)
  log(`${streams.length} streams are open`)
  const waiters = await waitForAll(server, ids)
  log(`${waiters.size} wait`)
  const person = await openWire(server.port)
  const latencies: number[] = []
  const memoryBefore = await server.memory()
  for (const [n, id] of ids.slice(0, load.slowly).entries()) {
    const began = performance.now()
    await answer(person, server, id)
    await waiters.get(id)?.got
    latencies.push(performance.now() - began)
    await sleep(Math.max(0, 1_000 / load.perSecond - (performance.now() - began)))
    if (n % 200 === 199) log(`${n + 1} answered, ${Math.round((await server.memory()) / 1e6)} MB`)
  }
  const memoryAfter = await server.memory()
  await answerRest(server, ids.slice(load.slowly))
  const wrong: string[] = []
  for (const [id, { got }] of waiters) {
    const body = await got
    if (!body.includes(`"text":"answer of ${id}"`) || !body.includes(`"id":"${id}"`)) wrong.push(id)
  }
  log(`${waiters.size - wrong.length} got their own answer`)
  const torn = await countBrokenStreams(streams, ids.length)
  for (const { wire } of [...waiters.values(), ...streams]) wire.close()
  person.close()
  return { wrong, torn, memoryBefore, memoryAfter, latencies }
}

async function askMany({ port, ask }: LoadServer, count: number): Promise<string[]> {
  const ids: string[] = []
  let n = 0
  await inParallel(port, async wire => {
    while (n < count) {
      n += 1
      const { body } = await wire.call('POST', '/api/requests', ask, { questions: [{ question: `What about ${n}?` }] })
      ids.push(/"id":"(req_\w+)"/.exec(body)?.[1] ?? '')
    }
  })
  return ids
}

async function answerRest(server: LoadServer, ids: string[]): Promise<void> {
  await inParallel(server.port, async wire => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) await answer(wire, server, id)
  })
}

async function answer(wire: Wire, server: LoadServer, id: string): Promise<void> {
  const path = `/api/requests/${id}/answer`
  const { status, body } = await wire.call('PUT', path, server.answer, { value: `answer of ${id}` })
  if (status !== 200) throw new Error(`${id} was not answered: ${body}`)
}

async function waitForAll({ port, ask }: LoadServer, ids: string[]) {
  const waiters = new Map<string, { wire: Wire; got: Promise<string> }>()
  for (let from = 0; from < ids.length; from += 200) {
    const some = ids.slice(from, from + 200)
    const wires = await Promise.all(some.map(() => openWire(port)))
    for (const [i, id] of some.entries()) {
      const wire = wires[i] as Wire
      const got = wire.call('GET', `/api/requests/${id}?wait=600`, ask).then(({ body }) => body)
      waiters.set(id, { wire, got })
    }
  }
  return waiters
}

interface OpenStream {
  wire: Wire
  ids: number[]
}

async function openStreams({ port, answer }: LoadServer, count: number): Promise<OpenStream[]> {
  const streams: OpenStream[] = []
  while (streams.length < count) {
    const wires = await Promise.all(Array.from({ length: Math.min(200, count - streams.length) }, () => openWire(port)))
    const opened = wires.map(wire => {
      const stream: OpenStream = { wire, ids: [] }
      let rest = ''
      wire.socket.on('data', (bytes: Buffer) => {
        const lines = (rest + bytes.toString('latin1')).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('id: ')) stream.ids.push(Number(line.slice(4)))
      })
      wire.send('GET', '/api/events', answer, 'accept: text/event-stream\r\n')
      return stream
    })
    await Promise.all(wires.map(wire => once(wire.socket, 'data')))
    streams.push(...opened)
  }
  return streams
}

/** A stream is broken unless it got every event once and in order. */
async function countBrokenStreams(streams: readonly OpenStream[], events: number): Promise<number> {
  for (let tries = 0; tries < 300 && streams.some(({ ids }) => ids.length < events); tries += 1) await sleep(100)
  return streams.filter(
    ({ ids }) => ids.length !== events || ids.some((id, i) => i > 0 && id !== (ids[i - 1] ?? 0) + 1),
  ).length
}

async function inParallel(port: number, work: (wire: Wire) => Promise<void>): Promise<void> {
  const wires = await Promise.all(Array.from({ length: 50 }, () => openWire(port)))
  await Promise.all(wires.map(work))
  for (const wire of wires) wire.close()
}
